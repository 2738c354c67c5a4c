// Threads that are kept from call to call.
//
// A call that shares its work counts in its own thread, and threads of the pool join it. So it ends
// even if no other thread helps: because all help other calls, or because the system starts none.
// The process has one pool, for all interpreters and all threads of Python in it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#ifndef _WIN32
#include <pthread.h>

#include <csignal>
#endif

namespace bleu_rouge {

/// While it lives, threads that start have all signals blocked. A thread of the pool must not
/// receive a signal that the program blocks in its own threads, to wait for it with `sigwait`.
class BlockedSignals {
#ifndef _WIN32
 public:
  BlockedSignals() {
    sigset_t blocked;
    sigfillset(&blocked);
    // Python's faulthandler prints these.
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigdelset(&blocked, fault);
    pthread_sigmask(SIG_SETMASK, &blocked, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
#endif
};

class Pool {
 public:
  /// Work of one call.
  struct Job {
    std::function<void()> work;  // each thread that helps calls it once; it must not raise
    std::size_t wanted;          // so many threads may help
    std::size_t begun = 0;       // so many have begun to help
    std::size_t helping = 0;     // so many of them have not ended
    std::condition_variable ended{};
  };

  /// The pool of this process.
  static Pool& get() {
    Pool* pool = of_process_.load();
    if (pool == nullptr) {
      // It is never destroyed: its threads wait in it until the process has ended, and a thread
      // that is still counting then may use it.
      auto made = std::make_unique<Pool>();
      if (of_process_.compare_exchange_strong(pool, made.get())) pool = made.release();
    }
    return *pool;
  }

  /// Whether a fork has made this the pool of the parent. Nothing may be asked of it then: its
  /// threads are not in this process, and its lock may be theirs.
  bool is_of_parent() const { return of_process_.load() != this; }

  /// Lets threads help from now on.
  void open(Job& job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(&job);
    call_thread(job);
  }

  /// Lets no more threads begin to help; returns whether those that did have ended, within a time.
  bool close(Job& job, std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    std::erase(jobs_, &job);
    return job.ended.wait_for(lock, patience, [&job] { return job.helping == 0; });
  }

 private:
  /// What each thread does.
  void help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return is_ending_ || !jobs_.empty(); });
      if (is_ending_) return;
      Job& job = *jobs_.front();
      ++busy_;
      ++job.helping;
      if (++job.begun == job.wanted) {
        jobs_.erase(jobs_.begin());
      } else {
        // Each thread calls two more: many are soon there for much work, and for little work it
        // ends before all are called.
        call_thread(job);
        call_thread(job);
      }
      lock.unlock();
      job.work();
      lock.lock();
      --busy_;
      if (--job.helping == 0) job.ended.notify_one();
    }
  }

  /// Wakes a thread, or starts one if all are busy. The pool has as many as one job wants at most, so
  /// jobs at the same time divide them.
  void call_thread(const Job& job) {
    if (busy_ < threads_.size()) {
      wake_.notify_one();
    } else if (threads_.size() < job.wanted && !is_ending_) {
      [[maybe_unused]] const BlockedSignals blocked;
      try {
        threads_.emplace_back(&Pool::help, this);
      } catch (const std::exception&) {
        // The system refuses another thread; those that there are share the work.
      }
    }
  }

  /// Ends the threads if none is busy; the next call starts others.
  void end_idle_threads() {
    std::vector<std::thread> ending;
    {
      const std::lock_guard lock(mutex_);
      // None are left while another fork ends them.
      if (threads_.empty() || busy_ > 0) return;
      is_ending_ = true;
      ending.swap(threads_);
    }
    wake_.notify_all();
    for (std::thread& thread : ending) thread.join();
    const std::lock_guard lock(mutex_);
    is_ending_ = false;
  }

#ifndef _WIN32
  // A fork copies only the thread that calls it. Before it, idle threads end, so that Python finds
  // one thread and has no reason to warn. While another thread of Python counts, its helpers go on;
  // the child then starts with a new pool, and what it inherits of the other stays as it is.
  static void before_fork() {
    if (Pool* pool = of_process_.load()) pool->end_idle_threads();
  }
  static void after_fork_in_child() { of_process_ = nullptr; }
  static inline const int kForkHandlers =
      pthread_atfork(&before_fork, nullptr, &after_fork_in_child);
#endif
  static inline std::atomic<Pool*> of_process_{nullptr};

  std::mutex mutex_;  // of all below, and of every job
  std::condition_variable wake_;
  std::vector<Job*> jobs_;  // those that more threads may help
  std::vector<std::thread> threads_;
  std::size_t busy_ = 0;
  bool is_ending_ = false;
};

}  // namespace bleu_rouge
