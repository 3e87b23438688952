// A server under test, and an inbox for its calls.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "capture/rpc/rpc_server.h"
#include "tests/capture/fake_region_server.h"
#include "tests/capture/notice_log.h"

namespace fensi::capture {

/// Keeps calls until the test takes them.
class Inbox : public CallHandler {
 public:
  void Handle(std::shared_ptr<Call> call) override {
    const std::lock_guard lock(mu_);
    calls_.push_back(std::move(call));
    changed_.notify_all();
  }
  std::shared_ptr<Call> Take() {
    std::unique_lock lock(mu_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(300), [this] { return !calls_.empty(); }));
    if (calls_.empty()) return nullptr;
    std::shared_ptr<Call> call = std::move(calls_.front());
    calls_.pop_front();
    return call;
  }
  size_t size() {
    const std::lock_guard lock(mu_);
    return calls_.size();
  }

 private:
  std::mutex mu_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Call>> calls_;
};

class RpcServerTest : public ::testing::Test {
 protected:
  RpcServerOptions Options() { return {.endpoints = {{"127.0.0.1", 0}}, .max_frame_bytes = 1 << 20}; }

  void Start(const RpcServerOptions& options) {
    auto server = RpcServer::Create(options, &inbox_, log_.Listener());
    ASSERT_TRUE(server.ok()) << server.status().ToString();
    server_ = std::move(*server);
    server_->Start();
  }
  void Start() { Start(Options()); }
  uint16_t port() const { return server_->ports().front(); }
  std::string notices() const { return log_.text(); }

  Inbox inbox_;
  NoticeLog log_;
  std::unique_ptr<RpcServer> server_;
};

inline std::vector<Entry> OneEntry(const std::string& row = "a") { return {Entry{.cells = {{row, Put("x", "1")}}}}; }

}  // namespace fensi::capture
