// Mutexes that clang checks (-Wthread-safety): only the holder of mu_ may touch what ABSL_GUARDED_BY(mu_) names.
//
// The standard library's own, with annotations, because libstdc++ has none. The predicate of a wait reads guarded data,
// so its lambda has ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_).
#pragma once

#include <absl/base/thread_annotations.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace fensi {

class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

/// Holds the mutex during its lifetime, except between unlock() and lock().
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex) : lock_(mutex.mutex_) {}
  ~MutexLock() ABSL_UNLOCK_FUNCTION() = default;
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { lock_.lock(); }
  void unlock() ABSL_UNLOCK_FUNCTION() { lock_.unlock(); }

 private:
  friend class Condition;
  std::unique_lock<std::mutex> lock_;
};

/// std::condition_variable for a MutexLock.
class Condition {
 public:
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

  void wait(MutexLock& lock) { condition_.wait(lock.lock_); }
  template <typename Predicate>
  void wait(MutexLock& lock, Predicate predicate) {
    condition_.wait(lock.lock_, std::move(predicate));
  }
  template <typename Rep, typename Period>
  void wait_for(MutexLock& lock, std::chrono::duration<Rep, Period> time) {
    condition_.wait_for(lock.lock_, time);
  }
  /// False if the predicate is still false when the time is over.
  template <typename Rep, typename Period, typename Predicate>
  bool wait_for(MutexLock& lock, std::chrono::duration<Rep, Period> time, Predicate predicate) {
    return condition_.wait_for(lock.lock_, time, std::move(predicate));
  }
  template <typename Clock, typename Duration, typename Predicate>
  bool wait_until(MutexLock& lock, std::chrono::time_point<Clock, Duration> time, Predicate predicate) {
    return condition_.wait_until(lock.lock_, time, std::move(predicate));
  }

 private:
  std::condition_variable condition_;
};

}  // namespace fensi
