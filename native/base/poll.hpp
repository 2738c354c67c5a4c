// How long work asks whether it is to stop.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <span>
#include <utility>

namespace bleu_rouge {

/// Raised by work that is to stop: another thread failed, or a signal came.
struct Stopped {};

/// Counts the steps of the work of one thread, and asks now and then whether it is to go on. A step
/// takes about a nanosecond.
class Poll {
 public:
  using Clock = std::chrono::steady_clock;

  // How long a signal may wait.
  static constexpr std::chrono::milliseconds kPatience{50};

  /// Never stops.
  Poll() = default;

  /// `stop`: whether the work is to end. `is_signalled`: asked by one thread, every kPatience, whether
  /// a signal ends the work; null in the others.
  explicit Poll(std::atomic<bool>& stop, bool (*is_signalled)() = nullptr)
      : stop_(&stop), is_signalled_(is_signalled), asked_(Clock::now()) {}

  /// Tells that so many steps were taken, or will be next.
  ///
  /// Raises: Stopped, if the work is to stop.
  void did(std::size_t steps) {
    if (steps < left_) [[likely]] {
      left_ -= steps;
    } else {
      ask();
    }
  }

  /// Hands over the items in parts that are short enough not to ask within them.
  template <class Item, class Use>
  void in_parts(std::span<Item> items, Use&& use) {
    // One call, so that it is inlined.
    for (;;) {
      const std::size_t size = std::min(items.size(), kPart);
      use(items.first(size));
      if (size == items.size()) return;
      items = items.subspan(size);
      did(size);
    }
  }

  /// Asks at once.
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
