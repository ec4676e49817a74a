// Notes: one JSON object a line on the judge's note pipe, for diagnosis. Written from signal handlers
// too, so: a fixed buffer, no allocation, no stdio, one write(2).
#pragma once
#include "emu.h"

namespace emu {

class Note {
  public:
    explicit Note(const char *kind);
    Note &text(const char *key, const char *value);
    Note &number(const char *key, long long value);
    Note &address(const char *key, uint64_t value); // "0x7f.."
    Note &dim(const char *key, emu_dim value);      // [x, y, z]
    void send();       // at most 64 a call; the rest are dropped
    void send_final(); // not counted: the process is about to end

  private:
    void raw(const char *s);
    void digits(unsigned long long value, unsigned base);
    void key(const char *k);
    void write_out();
    char buffer_[4000]; // less than PIPE_BUF, so that lines of several threads do not mix
    unsigned used_ = 0;
};

void set_note_fd(int fd);
void reset_note_count();

// A sentence built from parts, for the "message" of a note: Sentence("block ") << dim << " ...".
class Sentence {
  public:
    Sentence &operator<<(const char *s);
    Sentence &operator<<(unsigned long long n);
    Sentence &operator<<(long long n);
    Sentence &operator<<(unsigned n) { return *this << static_cast<unsigned long long>(n); }
    Sentence &operator<<(unsigned long n) { return *this << static_cast<unsigned long long>(n); }
    Sentence &operator<<(int n) { return *this << static_cast<long long>(n); }
    Sentence &operator<<(emu_dim d);
    Sentence &mask(unsigned m); // 0x0000ffff
    Sentence &count(unsigned long long n, const char *noun); // 1 thread, 2 threads
    const char *c_str() const { return buffer_; }

  private:
    char buffer_[512] = "";
    unsigned used_ = 0;
};

} // namespace emu
