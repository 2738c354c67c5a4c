// An allocation that fails on request, so that tests see what a MemoryError leaves behind. Only the
// sanitizer build has it. It replaces operator new, so only one source file may include it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace bleu_rouge {

inline std::atomic<std::size_t> allocations_left{0};  // until one fails; 0 for none

/// Lets the `count`-th allocation from now on fail, or none with 0; returns how many were left.
inline std::size_t fail_allocation(std::size_t count) { return allocations_left.exchange(count); }

inline void* allocate(std::size_t bytes, std::align_val_t alignment) {
  if (allocations_left != 0 && --allocations_left == 0) throw std::bad_alloc();
  const auto unit = std::max(static_cast<std::size_t>(alignment), alignof(std::max_align_t));
  void* memory = std::aligned_alloc(unit, (std::max(bytes, unit) + unit - 1) / unit * unit);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace bleu_rouge

void* operator new(std::size_t bytes) { return bleu_rouge::allocate(bytes, std::align_val_t{1}); }
void* operator new[](std::size_t bytes) { return bleu_rouge::allocate(bytes, std::align_val_t{1}); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return bleu_rouge::allocate(bytes, alignment);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return bleu_rouge::allocate(bytes, alignment);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
