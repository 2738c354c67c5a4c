// A growing array that does not initialise new items, for scratch memory that samples share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace bleu_rouge {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return items_.get(); }
  T& operator[](std::size_t index) { return items_[index]; }
  const T& operator[](std::size_t index) const { return items_[index]; }
  T& back() { return items_[size_ - 1]; }
  std::span<const T> view() const { return {items_.get(), size_}; }
  std::span<T> span() { return {items_.get(), size_}; }

  /// Appends `count` items whose values are undefined.
  std::span<T> extend(std::size_t count) {
    if (count > capacity_ - size_) grow(size_ + count);
    const std::span<T> added(items_.get() + size_, count);
    size_ += count;
    return added;
  }

  /// Returns the end of the first `size` items, behind which there is room for `room` more.
  T* make_room(std::size_t size, std::size_t room) {
    if (size_ < size + room) extend(size + room - size_);
    return items_.get() + size;
  }

  /// Keeps the first `size` items.
  void shrink(std::size_t size) { size_ = size; }

  void push_back(T item) { extend(1)[0] = item; }

  /// Sets the buffer to exactly `count` items, each equal to `value`.
  void assign(std::size_t count, T value) {
    clear();
    std::ranges::fill(extend(count), value);
  }

 private:
  void grow(std::size_t least) {
    const std::size_t capacity = std::max(least, capacity_ + capacity_ / 2 + 64);
    std::unique_ptr<T[]> items = std::make_unique_for_overwrite<T[]>(capacity);
    std::copy_n(items_.get(), size_, items.get());
    items_ = std::move(items);
    capacity_ = capacity;
  }

  std::unique_ptr<T[]> items_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace bleu_rouge
