#include "capture/capture.h"

namespace fensi::capture {

Capture::Capture(const CaptureOptions& options, Notices notices, Clock* clock)
    : options_(options), notices_(std::move(notices)), clock_(clock) {}

Result<std::unique_ptr<Capture>> Capture::Create(const CaptureOptions& options, Notices notices, Clock* clock) {
  std::unique_ptr<Capture> capture(new Capture(options, std::move(notices), clock));
  Result<std::unique_ptr<Publisher>> publisher =
      Publisher::Create(capture->PublisherSettings(), capture->notices_, clock);
  if (!publisher.ok()) return publisher.status();
  Result<std::unique_ptr<RpcServer>> server = RpcServer::Create(options.server, publisher->get(), capture->notices_);
  if (!server.ok()) return server.status();
  capture->publisher_ = std::move(*publisher);
  capture->server_ = std::move(*server);
  const RegistrationOptions registration = capture->RegistrationSettings();
  const auto open = [registration] {
    return OpenZooKeeper(registration.zookeeper, registration.session_timeout, registration.connect_timeout);
  };
  capture->registration_ = std::make_unique<Registration>(registration, open, capture->notices_, clock);
  return capture;
}

Capture::~Capture() { Stop(); }

/// Called when a call comes, which no server is there to take before the registration is.
PublisherOptions Capture::PublisherSettings() {
  PublisherOptions publisher = options_.publisher;
  publisher.check_source = [this](const ClusterUuid& source) { return registration_->CheckSource(source.Text()); };
  publisher.was_captured = [this](std::string_view table) {
    return registration_->dropped().contains(std::string(table));
  };
  return publisher;
}

RegistrationOptions Capture::RegistrationSettings() const {
  RegistrationOptions registration = options_.registration;
  registration.ports = server_->ports();
  registration.agreement.message_bytes = static_cast<int64_t>(options_.publisher.kafka.max_message_bytes);
  registration.agreement.topics = {options_.publisher.topics.begin(), options_.publisher.topics.end()};
  return registration;
}

Status Capture::Start(const std::function<bool()>& go_on) {
  server_->Start();
  return registration_->Start(go_on);
}

void Capture::Stop() {
  if (stopped_ || registration_ == nullptr) return;
  stopped_ = true;
  registration_->Stop();
  server_->Stop(options_.stop_timeout);
  publisher_->Stop();
}

}  // namespace fensi::capture
