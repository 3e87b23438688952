#include "capture/capture.h"

namespace fensi::capture {

Capture::Capture(const CaptureOptions& options, Notices notices, Clock* clock)
    : options_(options), notices_(std::move(notices)), clock_(clock) {}

Result<std::unique_ptr<Capture>> Capture::Create(const CaptureOptions& options, Notices notices, Clock* clock) {
  std::unique_ptr<Capture> capture(new Capture(options, std::move(notices), clock));
  const auto open = [zookeeper = options.registration.zookeeper] { return hbase::OpenZooKeeper(zookeeper); };
  MarkTellerOptions marks = options.marks;
  marks.members.our_root = options.registration.root;
  for (const auto& [table, topic] : options.publisher.topics) marks.members.tables.push_back(table);
  capture->marks_ = std::make_unique<MarkTeller>(marks, open, capture->notices_, clock);
  Result<std::unique_ptr<Publisher>> publisher =
      Publisher::Create(capture->PublisherSettings(), capture->notices_, clock);
  if (!publisher.ok()) return publisher.status();
  Result<std::unique_ptr<RpcServer>> server =
      RpcServer::Create(capture->ServerSettings(), publisher->get(), capture->notices_);
  if (!server.ok()) return server.status();
  capture->publisher_ = std::move(*publisher);
  capture->server_ = std::move(*server);
  const RegistrationOptions registration = capture->RegistrationSettings();
  capture->registration_ = std::make_unique<Registration>(registration, open, capture->notices_, clock);
  return capture;
}

Capture::~Capture() { Stop(); }

Counts Capture::counts() const {
  Counts counts = publisher_->counts();
  counts.alarms_of[static_cast<size_t>(NoticeKind::kServerRefused)] += server_->refused_servers();
  return counts;
}

/// Runs when a call arrives, which is never before the registration.
PublisherOptions Capture::PublisherSettings() {
  PublisherOptions publisher = options_.publisher;
  publisher.check_source = [this](const ClusterUuid& source) { return registration_->CheckSource(source.Text()); };
  publisher.was_captured = [this](std::string_view table) {
    return registration_->dropped().contains(std::string(table));
  };
  publisher.take_markers = [this](const CallMarkers& markers) { marks_->Take(markers); };
  return publisher;
}

/// Runs when a connection is there, as above.
RpcServerOptions Capture::ServerSettings() {
  RpcServerOptions server = options_.server;
  server.cluster = [this] { return registration_->cluster(); };
  return server;
}

RegistrationOptions Capture::RegistrationSettings() const {
  RegistrationOptions registration = options_.registration;
  registration.ports = server_->ports();
  for (size_t i = 0; i < registration.ports.size(); ++i) {
    registration.listener += " " + options_.server.endpoints[i].host + ":" + std::to_string(registration.ports[i]);
  }
  registration.agreement.message_bytes = static_cast<int64_t>(options_.publisher.kafka.max_message_bytes);
  registration.agreement.topics = {options_.publisher.topics.begin(), options_.publisher.topics.end()};
  return registration;
}

Status Capture::Start(const std::function<bool()>& go_on) {
  server_->Start();
  FENSI_RETURN_IF_ERROR(registration_->Start(go_on));
  marks_->Start();
  return Status();
}

bool Capture::is_registered() const { return registration_->trouble().empty(); }

std::string Capture::trouble() const {
  const std::string znodes = registration_->trouble();
  return znodes.empty() ? marks_->trouble() : znodes;
}

void Capture::Stop() {
  if (stopped_ || registration_ == nullptr) return;
  stopped_ = true;
  registration_->Stop();
  marks_->Stop();
  server_->Stop(options_.stop_timeout);
  publisher_->Stop();
}

}  // namespace fensi::capture
