// Lets long work ask whether it must stop.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <span>
#include <utility>

namespace bleu_rouge {

/// Raised by work that must stop because another thread failed or a signal came.
struct Stopped {};

/// Counts the steps of one thread's work, and asks from time to time whether it must stop. A step
/// takes about a nanosecond.
class Poll {
 public:
  using Clock = std::chrono::steady_clock;

  // How long a signal may wait.
  static constexpr std::chrono::milliseconds kPatience{50};

  /// Never stops.
  Poll() = default;

  /// `stop`: whether the work must end. `is_signalled`: whether a signal ends the work; one thread
  /// calls it every kPatience, and it is null for the other threads.
  explicit Poll(std::atomic<bool>& stop, bool (*is_signalled)() = nullptr)
      : stop_(&stop), is_signalled_(is_signalled), asked_(Clock::now()) {}

  /// Adds `steps` that were done, or that will be done next.
  ///
  /// Raises: Stopped, if the work must stop.
  void did(std::size_t steps) {
    if (steps < left_) [[likely]] {
      left_ -= steps;
    } else {
      ask();
    }
  }

  /// Passes the items to `use` in parts; asks between two parts.
  template <class Item, class Use>
  void in_parts(std::span<Item> items, Use&& use) {
    // There is only one call of `use`, so that the compiler inlines it.
    for (;;) {
      const std::size_t size = std::min(items.size(), kPart);
      use(items.first(size));
      if (size == items.size()) return;
      items = items.subspan(size);
      did(size);
    }
  }

  /// Asks now.
  void ask() {
    left_ = kSteps;
    if (stop_ == nullptr) return;
    if (stop_->load(std::memory_order_relaxed)) throw Stopped{};
    if (is_signalled_ == nullptr || Clock::now() - asked_ < kPatience) return;
    asked_ = Clock::now();
    if (is_signalled_()) throw Stopped{};
  }

 private:
  static constexpr std::size_t kSteps = 1 << 18;
  static constexpr std::size_t kPart = 1 << 14;

  std::atomic<bool>* stop_ = nullptr;
  bool (*is_signalled_)() = nullptr;
  Clock::time_point asked_{};
  std::size_t left_ = kSteps;
};

}  // namespace bleu_rouge
