#include "capture/capture.h"

namespace fensi::capture {

Capture::Capture(const CaptureOptions& options, Notices notices, Clock* clock)
    : options_(options), notices_(std::move(notices)), clock_(clock) {}

Result<std::unique_ptr<Capture>> Capture::Create(const CaptureOptions& options, Notices notices, Clock* clock) {
  std::unique_ptr<Capture> capture(new Capture(options, std::move(notices), clock));
  Result<std::unique_ptr<Publisher>> publisher = Publisher::Create(options.publisher, capture->notices_, clock);
  if (!publisher.ok()) return publisher.status();
  Result<std::unique_ptr<RpcServer>> server = RpcServer::Create(options.server, publisher->get(), capture->notices_);
  if (!server.ok()) return server.status();
  capture->publisher_ = std::move(*publisher);
  capture->server_ = std::move(*server);
  return capture;
}

Capture::~Capture() { Stop(); }

std::string Capture::Purpose() const {
  std::string text;
  for (const auto& [table, topic] : options_.publisher.topics)
    text += (text.empty() ? "" : ", ") + table + " to " + topic;
  return text;
}

Status Capture::Start() {
  server_->Start();
  RegistrationOptions registration = options_.registration;
  registration.ports = server_->ports();
  registration.purpose = Purpose();
  registration_ = std::make_unique<Registration>(registration, notices_, clock_);
  return registration_->Start();
}

void Capture::Stop() {
  if (stopped_ || server_ == nullptr) return;
  stopped_ = true;
  if (registration_ != nullptr) registration_->Stop();
  server_->Stop(options_.stop_patience);
  publisher_->Stop();
}

}  // namespace fensi::capture
