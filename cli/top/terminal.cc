#include "cli/top/terminal.h"

#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace fensi::cli {
namespace {

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";  // a page of its own, no cursor, no wrapping
constexpr std::string_view kLeave = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";

sigset_t SignalsOfScreen() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH}) sigaddset(&signals, each);
  return signals;
}

bool Write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t some = write(STDOUT_FILENO, text.data(), text.size());
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return false;
    text.remove_prefix(static_cast<size_t>(some));
  }
  return true;
}

std::string_view CodeOf(LineStyle style) {
  switch (style) {
    case LineStyle::kPlain:
      return "";
    case LineStyle::kBar:
    case LineStyle::kMarked:
      return "\x1b[7m";
    case LineStyle::kHead:
      return "\x1b[1m";
    case LineStyle::kDim:
      return "\x1b[2m";
    case LineStyle::kAlarm:
      return "\x1b[31m";
  }
  return "";
}

bool IsDrawable() {
  const char* kind = std::getenv("TERM");
  const bool dumb = kind == nullptr || *kind == '\0' || std::strcmp(kind, "dumb") == 0;
  return !dumb && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

}  // namespace

struct Terminal::Before {
  termios mode{};
  sigset_t signals{};
};

Status Terminal::Possible() {
  if (IsDrawable()) return Status();
  return InvalidArgument(
      "'fensi top' needs a terminal for input and output, and a TERM other than dumb: use 'fensi status'");
}

Result<std::unique_ptr<Terminal>> Terminal::Open() {
  FENSI_RETURN_IF_ERROR(Possible());
  auto before = std::make_unique<Before>();
  if (tcgetattr(STDIN_FILENO, &before->mode) != 0) {
    return Status(StatusCode::kInternal, std::string("cannot read the mode of the terminal (") + std::strerror(errno) +
                                             "): use 'fensi status'");
  }
  const sigset_t signals = SignalsOfScreen();
  pthread_sigmask(SIG_BLOCK, &signals, &before->signals);
  const int descriptor = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  if (descriptor < 0) {
    return Status(StatusCode::kInternal,
                  std::string("cannot wait for signals (") + std::strerror(errno) + "): use 'fensi status'");
  }
  std::unique_ptr<Terminal> terminal(new Terminal(std::move(before), descriptor));
  terminal->Enter();
  return terminal;
}

Terminal::Terminal(std::unique_ptr<Before> before, int signals) : before_(std::move(before)), signals_(signals) {}

Terminal::~Terminal() {
  Leave();
  close(signals_);
  pthread_sigmask(SIG_SETMASK, &before_->signals, nullptr);
}

void Terminal::Enter() {
  termios mode = before_->mode;
  mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  mode.c_cc[VMIN] = 0;
  mode.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSANOW, &mode);
  Write(kEnter);
}

void Terminal::Leave() {
  Write(kLeave);
  tcsetattr(STDIN_FILENO, TCSANOW, &before_->mode);
}

Terminal::Event Terminal::Await(std::chrono::milliseconds timeout) {
  std::array<pollfd, 2> ready = {{{STDIN_FILENO, POLLIN, 0}, {signals_, POLLIN, 0}}};
  Event event;
  if (poll(ready.data(), ready.size(), static_cast<int>(timeout.count())) <= 0) return event;
  if (ready[1].revents != 0) TakeSignal(&event);
  constexpr short kGone = POLLHUP | POLLERR | POLLNVAL;
  event.end = event.end || (ready[0].revents & kGone) != 0;
  if ((ready[0].revents & POLLIN) == 0) return event;
  std::array<char, 256> bytes{};
  const ssize_t some = read(STDIN_FILENO, bytes.data(), bytes.size());
  if (some > 0) event.bytes.assign(bytes.data(), static_cast<size_t>(some));
  return event;
}

void Terminal::TakeSignal(Event* event) {
  signalfd_siginfo info{};
  while (read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const auto number = static_cast<int>(info.ssi_signo);
    if (number == SIGTSTP) {
      Leave();
      raise(SIGSTOP);  // until SIGCONT
    }
    if (number == SIGCONT) Enter();
    event->again = event->again || number == SIGCONT || number == SIGWINCH;
    event->end = event->end || number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
  }
}

ScreenSize Terminal::size() const {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return {};
  return {size.ws_row, size.ws_col};
}

Status Terminal::Draw(const std::vector<ScreenLine>& lines) {
  std::string text = "\x1b[H";
  for (size_t i = 0; i < lines.size(); ++i) {
    // Erased first: behind a line as wide as the screen the cursor stands on its last place.
    text += i == 0 ? "\x1b[K" : "\r\n\x1b[K";
    text += std::string(CodeOf(lines[i].style)) + lines[i].text + "\x1b[0m";
  }
  if (Write(text)) return Status();
  return Status(StatusCode::kInternal,
                std::string("cannot write to the terminal (") + std::strerror(errno) + "): use 'fensi status'");
}

}  // namespace fensi::cli
