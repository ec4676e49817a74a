// The gate of a timed sample: one thread holds the default stream until the host opens it, so that all
// launches of the sample are queued before the first runs.  It gives up after `limit_ns`, in case the
// submission waits for the device in a way the recorder does not see.
static __global__ void wait_for_host(volatile int* open, volatile int* gave_up, long long limit_ns) {
  long long start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  while (!*open) {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    if (now - start > limit_ns) {
      *gave_up = 1;
      return;
    }
  }
}

void judge_gate(volatile int* open, volatile int* gave_up, long long limit_ns) {
  wait_for_host<<<1, 1>>>(open, gave_up, limit_ns);
}
