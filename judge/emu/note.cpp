// Formatting and writing of notes; see note.h.
#include "note.h"
#include <atomic>
#include <string.h>
#include <unistd.h>

namespace emu {
namespace {

constexpr int notes_a_call = 64;
int note_fd = -1;
std::atomic<int> sent{0};

// Write `value` backwards from `end`, return its first character.
char *format(char *end, unsigned long long value, unsigned base) {
    *--end = 0;
    do
        *--end = "0123456789abcdef"[value % base];
    while (value /= base);
    return end;
}

} // namespace

void set_note_fd(int fd) { note_fd = fd; }
void reset_note_count() { sent = 0; }

Note::Note(const char *kind) {
    raw("{\"kind\":\"");
    raw(kind);
    raw("\"");
}

void Note::raw(const char *s) {
    // 16 bytes stay free for the closing brace and an ellipsis of quotes
    while (*s && used_ < sizeof buffer_ - 16) buffer_[used_++] = *s++;
}

void Note::digits(unsigned long long value, unsigned base) {
    char b[24];
    raw(format(b + sizeof b, value, base));
}

void Note::key(const char *k) {
    raw(",\"");
    raw(k);
    raw("\":");
}

Note &Note::text(const char *k, const char *value) {
    key(k);
    raw("\"");
    unsigned limit = used_ + 1000; // no single text may push out the fields after it
    for (; *value && used_ < limit && used_ < sizeof buffer_ - 16; value++) {
        unsigned char c = static_cast<unsigned char>(*value);
        if (c == '"' || c == '\\') buffer_[used_++] = '\\';
        buffer_[used_++] = c < 32 ? ' ' : static_cast<char>(c);
    }
    raw("\"");
    return *this;
}

Note &Note::number(const char *k, long long value) {
    key(k);
    if (value < 0) raw("-");
    digits(value < 0 ? 0ull - static_cast<unsigned long long>(value) : static_cast<unsigned long long>(value), 10);
    return *this;
}

Note &Note::address(const char *k, uint64_t value) {
    key(k);
    raw("\"0x");
    digits(value, 16);
    raw("\"");
    return *this;
}

Note &Note::dim(const char *k, emu_dim v) {
    key(k);
    raw("[");
    digits(v.x, 10);
    raw(",");
    digits(v.y, 10);
    raw(",");
    digits(v.z, 10);
    raw("]");
    return *this;
}

void Note::write_out() {
    if (note_fd < 0) return;
    memcpy(buffer_ + used_, "}\n", 2);
    ssize_t ignored = write(note_fd, buffer_, used_ + 2); // a judge that is gone needs no notes
    (void)ignored;
}

void Note::send() {
    if (sent.fetch_add(1, std::memory_order_relaxed) < notes_a_call) write_out();
}

void Note::send_final() { write_out(); }

Sentence &Sentence::operator<<(const char *s) {
    while (*s && used_ < sizeof buffer_ - 1) buffer_[used_++] = *s++;
    buffer_[used_] = 0;
    return *this;
}

Sentence &Sentence::operator<<(unsigned long long n) {
    char b[24];
    return *this << format(b + sizeof b, n, 10);
}

Sentence &Sentence::operator<<(long long n) {
    if (n >= 0) return *this << static_cast<unsigned long long>(n);
    return *this << "-" << (0ull - static_cast<unsigned long long>(n));
}

Sentence &Sentence::operator<<(emu_dim d) {
    return *this << "(" << d.x << ", " << d.y << ", " << d.z << ")";
}

Sentence &Sentence::count(unsigned long long n, const char *noun) { return *this << n << " " << noun << (n == 1 ? "" : "s"); }

Sentence &Sentence::mask(unsigned m) {
    char b[9];
    for (int i = 0; i < 8; i++) b[i] = "0123456789abcdef"[m >> (28 - 4 * i) & 15];
    b[8] = 0;
    return *this << "0x" << b;
}

} // namespace emu
