// Things that are kept from one call to the next, for one thread at a time each.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace bleu_rouge {

template <class T>
class Kept {
 public:
  Kept() { free_.reserve(kMost); }

  /// A thing that no other thread uses; null if there is none.
  std::unique_ptr<T> take() {
    // A child of fork() may find the lock taken forever, so nobody waits for it.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || free_.empty()) return nullptr;
    std::unique_ptr<T> thing = std::move(free_.back());
    free_.pop_back();
    return thing;
  }

  /// Never raises, because destructors call it.
  void give_back(std::unique_ptr<T> thing) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock() && free_.size() < kMost) free_.push_back(std::move(thing));
  }

 private:
  static constexpr std::size_t kMost = 64;

  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace bleu_rouge
