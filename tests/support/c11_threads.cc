// C11's threads on POSIX threads, for programs under the thread sanitizer: it follows pthread_* and does not know
// thrd_*, mtx_* and cnd_*, by which Debian's librdkafka starts and orders its threads. The dynamic linker prefers these
// to those of libc; they are what glibc itself does, and thrd_current, which is not here, stays true.
#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <cstdint>
#include <ctime>
#include <memory>

namespace {

static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && alignof(mtx_t) >= alignof(pthread_mutex_t));
static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t) && alignof(cnd_t) >= alignof(pthread_cond_t));
static_assert(sizeof(thrd_t) == sizeof(pthread_t));
static_assert(sizeof(once_flag) == sizeof(pthread_once_t));

pthread_mutex_t* Posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* Posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

int Answer(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case ETIMEDOUT:
      return thrd_timedout;
    case EBUSY:
      return thrd_busy;
    case ENOMEM:
      return thrd_nomem;
    default:
      return thrd_error;
  }
}

struct Start {
  thrd_start_t function;
  void* argument;
};

void* Run(void* opaque) {
  const Start start = *std::unique_ptr<Start>(static_cast<Start*>(opaque));
  return reinterpret_cast<void*>(static_cast<intptr_t>(start.function(start.argument)));
}

}  // namespace

extern "C" {

int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  auto start = std::make_unique<Start>(Start{function, argument});
  const int error = pthread_create(thread, nullptr, Run, start.get());
  if (error == 0) (void)start.release();  // the thread owns it now
  return Answer(error);
}

int thrd_join(thrd_t thread, int* result) {
  void* value = nullptr;
  const int error = pthread_join(thread, &value);
  if (error == 0 && result != nullptr) *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return Answer(error);
}

int thrd_detach(thrd_t thread) { return Answer(pthread_detach(thread)); }

void thrd_exit(int result) { pthread_exit(reinterpret_cast<void*>(static_cast<intptr_t>(result))); }

int mtx_init(mtx_t* mutex, int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if ((type & mtx_recursive) != 0) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  const int error = pthread_mutex_init(Posix(mutex), &attributes);
  pthread_mutexattr_destroy(&attributes);
  return Answer(error);
}

void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy(Posix(mutex)); }
int mtx_lock(mtx_t* mutex) { return Answer(pthread_mutex_lock(Posix(mutex))); }
int mtx_trylock(mtx_t* mutex) { return Answer(pthread_mutex_trylock(Posix(mutex))); }
int mtx_timedlock(mtx_t* mutex, const timespec* until) { return Answer(pthread_mutex_timedlock(Posix(mutex), until)); }
int mtx_unlock(mtx_t* mutex) { return Answer(pthread_mutex_unlock(Posix(mutex))); }

int cnd_init(cnd_t* condition) { return Answer(pthread_cond_init(Posix(condition), nullptr)); }
void cnd_destroy(cnd_t* condition) { pthread_cond_destroy(Posix(condition)); }
int cnd_signal(cnd_t* condition) { return Answer(pthread_cond_signal(Posix(condition))); }
int cnd_broadcast(cnd_t* condition) { return Answer(pthread_cond_broadcast(Posix(condition))); }
int cnd_wait(cnd_t* condition, mtx_t* mutex) { return Answer(pthread_cond_wait(Posix(condition), Posix(mutex))); }
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
  return Answer(pthread_cond_timedwait(Posix(condition), Posix(mutex), until));
}

void call_once(once_flag* flag, void (*function)()) { pthread_once(reinterpret_cast<pthread_once_t*>(flag), function); }

}  // extern "C"
