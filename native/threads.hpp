// Samples shared among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace bleu_rouge {

/// Joins its threads when it goes out of scope.
class Threads {
 public:
  Threads() = default;
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() {
    for (std::thread& thread : threads_) thread.join();
  }

  template <class Work>
  void start(std::size_t count, const Work& work) {
    threads_.reserve(count);
    try {
      while (threads_.size() < count) threads_.emplace_back(work);
    } catch (const std::system_error&) {
      // The system has no more threads to give; those that run share the work.
    }
  }

 private:
  std::vector<std::thread> threads_;
};

/// Calls `worker.count(index)` for each index below `count`, on as many as `threads` threads, each
/// with a worker of its own from `make_worker()`. The threads live as long as the call, so that
/// nothing of them is left to a process that forks later.
///
/// Raises: what a worker raised first.
template <class MakeWorker>
void share(std::size_t count, std::size_t threads, const MakeWorker& make_worker) {
  constexpr std::size_t kMostAtOnce = 64;
  threads = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(count, 1));
  const std::size_t at_once = std::clamp<std::size_t>(count / (threads * 8), 1, kMostAtOnce);

  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    try {
      auto worker = make_worker();
      for (;;) {
        const std::size_t first = next.fetch_add(at_once);
        if (first >= count) return;
        for (std::size_t i = first; i < std::min(first + at_once, count); ++i) worker.count(i);
      }
    } catch (...) {
      next = count;  // the others stop
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  {
    Threads others;
    others.start(threads - 1, work);
    work();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace bleu_rouge
