#include "tests/hbase/fake_hbase.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/bytes.h"
#include "hbase/locate/meta_rows.h"
#include "hbase/wire/cell_block.h"
#include "hbase/wire/cell_writer.h"
#include "hbase/wire/framing.h"
#include "tests/support/loopback.h"

namespace fensi::hbase {
namespace {

namespace pb = proto::hbase;

std::string WrittenCell(std::string_view row, const Cell& cell) {
  std::string block(WrittenBytes(row, cell), '\0');
  WriteCell(row, cell, block.data());
  return block;
}

pb::NameBytesPair PairOf(const Reaction& reaction) {
  pb::NameBytesPair pair;
  pair.set_name(reaction.exception);
  pair.set_value(reaction.exception + ": " + reaction.text + "\n\tat fake");
  return pair;
}

}  // namespace

struct FakeHBase::Call {
  uint32_t id = 0;
  std::string method, request, cells, service;
};

/// One connection: answers are written by one thread at a time.
class FakeHBase::Link {
 public:
  explicit Link(Wire* wire) : wire_(wire) {}

  void Send(const std::string& bytes) {
    const std::lock_guard lock(mu_);
    wire_->Send(bytes);
  }
  void Drip(const std::string& bytes) {
    for (const char byte : bytes) {
      Send(std::string(1, byte));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  void Close() const { wire_->Close(); }

 private:
  Wire* const wire_;
  std::mutex mu_;
};

FakeHBase::FakeHBase(const std::vector<std::string>& split_keys) {
  SetRegions(split_keys);
  listener_ = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = testing::Loopback(0);
  socklen_t length = sizeof address;
  bind(listener_, reinterpret_cast<sockaddr*>(&address), length);
  listen(listener_, 64);
  getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
  port_ = ntohs(address.sin_port);
  region_port_ = port_;
  accepting_ = std::thread([this] { Accept(); });
}

FakeHBase::~FakeHBase() {
  {
    const std::lock_guard lock(mu_);
    stopped_ = true;
    for (const int socket : sockets_) shutdown(socket, SHUT_RDWR);
  }
  shutdown(listener_, SHUT_RDWR);
  accepting_.join();
  for (std::thread& thread : serving_) thread.join();
  for (const int socket : sockets_) close(socket);
  close(listener_);
}

ClusterOptions FakeHBase::Options() const {
  ClusterOptions options{.registry = {.servers = {{own_host, port_}}, .znode = ""}};
  options.user = "tester";
  // Where answers come, a slow machine must not make them late.
  options.call_timeout = std::chrono::milliseconds(20'000);
  options.connect_timeout = std::chrono::milliseconds(20'000);
  options.retry_for = std::chrono::milliseconds(600);
  return options;
}

void FakeHBase::SetRegions(const std::vector<std::string>& split_keys) {
  const std::lock_guard lock(mu_);
  starts_ = {""};
  starts_.insert(starts_.end(), split_keys.begin(), split_keys.end());
}

void FakeHBase::SetLocation(const std::string& host, int port, int64_t sequence) {
  const std::lock_guard lock(mu_);
  host_ = host;
  region_port_ = port;
  sequence_ = sequence;
}

int FakeHBase::CallsOf(const std::string& method) {
  const std::lock_guard lock(mu_);
  return calls_[method];
}

std::string FakeHBase::ValueOf(const std::string& row) {
  const std::lock_guard lock(mu_);
  return values_[row];
}

std::string FakeHBase::user() {
  const std::lock_guard lock(mu_);
  return user_;
}

size_t FakeHBase::rows() {
  const std::lock_guard lock(mu_);
  return cells_.size();
}

void FakeHBase::Accept() {
  while (true) {
    const int socket = accept(listener_, nullptr, nullptr);
    if (socket < 0) return;
    ++connections_;
    const std::lock_guard lock(mu_);
    sockets_.push_back(socket);
    if (stopped_) shutdown(socket, SHUT_RDWR);
    serving_.emplace_back([this, socket] { Serve(socket); });
  }
}

/// Calls of one connection run on many threads, as on the handlers of a real server.
void FakeHBase::Serve(int socket) {
  const std::unique_ptr<Wire> wire = greet(socket);
  if (wire == nullptr) {
    shutdown(socket, SHUT_RDWR);
    return;
  }
  const auto link = std::make_shared<Link>(wire.get());
  std::string bytes;
  if (!wire->ReadFrame(&bytes)) return;
  pb::ConnectionHeader header;
  header.ParseFromString(bytes);
  {
    const std::lock_guard lock(mu_);
    user_ = header.user_info().effective_user();
  }
  std::vector<std::thread> handlers;
  while (wire->ReadFrame(&bytes)) {
    std::string_view rest = bytes, piece;
    pb::RequestHeader request;
    if (!TakeDelimited(&rest, &piece) || !ParseMessage(piece, &request) || !TakeDelimited(&rest, &piece)) break;
    Call call{request.call_id(), request.method_name(), std::string(piece), std::string(rest), header.service_name()};
    handlers.emplace_back([this, link, call = std::move(call)] { Handle(link, call); });
  }
  for (std::thread& handler : handlers) handler.join();
}

std::string FakeHBase::RegionOf(const Call& call) const {
  pb::ScanRequest scan;  // every request has its region in the same field
  if (call.method == "Multi") {
    pb::MultiRequest multi;
    multi.ParseFromString(call.request);
    return multi.regionaction_size() > 0 ? multi.regionaction(0).region().value() : "";
  }
  if (call.method != "Scan" && call.method != "Mutate") return "";
  scan.ParsePartialFromString(call.request);
  return scan.region().value();
}

void FakeHBase::Handle(const std::shared_ptr<Link>& link, const Call& call) {
  const std::string region = RegionOf(call);
  const std::string method = region == kMetaRegion ? "Meta" : call.method;
  {
    const std::lock_guard lock(mu_);
    ++calls_[method];
  }
  const int now = ++at_once_;
  for (int most = most_at_once_; most < now && !most_at_once_.compare_exchange_weak(most, now);) {
  }
  Reaction reaction = react ? react(method, region) : Reaction{};
  using Kind = Reaction::Kind;
  std::string cells, message;
  const bool answers = reaction.kind != Kind::kException && reaction.kind != Kind::kFatal &&
                       reaction.kind != Kind::kSilence && reaction.kind != Kind::kClose;
  if (answers) message = Answer(call, &cells, &reaction);
  pb::ResponseHeader header;
  header.set_call_id(reaction.kind == Kind::kWrongId ? call.id + 1'000'000 : call.id);
  std::string body;
  if (reaction.kind == Kind::kException || reaction.kind == Kind::kFatal) {
    if (reaction.kind == Kind::kFatal) header.set_call_id(kNoCall);
    pb::ExceptionResponse* exception = header.mutable_exception();
    exception->set_exception_class_name(reaction.exception);
    exception->set_stack_trace(reaction.exception + ": " + reaction.text + "\n\tat fake");
    exception->set_do_not_retry(reaction.do_not_retry);
    exception->set_server_overloaded(reaction.overloaded);
    body = Delimited(header);
  } else if (reaction.kind != Kind::kSilence && reaction.kind != Kind::kClose) {
    if (reaction.kind == Kind::kLarge) cells += std::string(Reaction::kLargeBytes, '\0');
    header.mutable_cell_block_meta()->set_length(static_cast<uint32_t>(cells.size()));
    body = Delimited(header) + DelimitedBytes(message) + cells;
  }
  if (reaction.kind == Kind::kDelay) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  --at_once_;
  switch (reaction.kind) {
    case Kind::kSilence:
      return;
    case Kind::kClose:
      return link->Close();
    case Kind::kCut:
      link->Send(Framed(body).substr(0, 4 + body.size() / 2));
      return link->Close();
    case Kind::kDrip:
      return link->Drip(Framed(body));
    case Kind::kHuge:
      return link->Send(BigEndian32(0x7fffffff) + body);
    case Kind::kGarbage:
      return link->Send(Framed(std::string(20, '\xff')));
    default:
      return link->Send(Framed(body));
  }
}

std::string FakeHBase::Answer(const Call& call, std::string* cells, Reaction* fault) {
  if (call.method == "Multi") return AnswerMulti(call, cells);
  if (call.method == "Mutate") return AnswerMutate(call);
  if (call.method == "Scan") return AnswerScan(call, cells, fault);
  return AnswerMaster(call);
}

void FakeHBase::Store(std::string_view block) {
  CellBlockReader reader(block);
  for (CellView cell; !reader.AtEnd();) {
    const size_t begin = reader.position();
    if (!reader.Next(&cell).ok()) return;
    const std::string row(cell.row);
    cells_[row] = block.substr(begin, reader.position() - begin);
    values_[row] = cell.value;
  }
}

std::string FakeHBase::AnswerMulti(const Call& call, std::string* cells) {
  pb::MultiRequest request;
  request.ParseFromString(call.request);
  pb::MultiResponse response;
  CellBlockReader reader(call.cells);
  const std::lock_guard lock(mu_);
  for (const pb::RegionAction& region : request.regionaction()) {
    pb::RegionActionResult* result = response.add_regionactionresult();
    std::optional<Reaction> whole;
    std::string writes;
    std::vector<std::pair<const pb::Action*, std::optional<Reaction>>> done;
    for (const pb::Action& action : region.action()) {
      const std::string& row = action.has_get() ? action.get().row() : action.mutation().row();
      if (!whole && refuse_region) whole = refuse_region(row);
      const size_t begin = reader.position();
      CellView cell;
      for (int i = 0; i < action.mutation().associated_cell_count(); ++i) static_cast<void>(reader.Next(&cell));
      std::optional<Reaction> refused = refuse_row ? refuse_row(row) : std::nullopt;
      if (!refused && refuse_action) refused = refuse_action(row, cell.value);
      if (!refused) writes += call.cells.substr(begin, reader.position() - begin);
      done.emplace_back(&action, std::move(refused));
    }
    if (whole) {
      *result->mutable_exception() = PairOf(*whole);
      continue;
    }
    Store(writes);
    std::reverse(done.begin(), done.end());  // any order is legal
    for (const auto& [action, refused] : done) {
      pb::ResultOrException* one = result->add_resultorexception();
      one->set_index(action->index());
      const std::string& row = action->has_get() ? action->get().row() : action->mutation().row();
      if (refused) {
        *one->mutable_exception() = PairOf(*refused);
      } else if (action->has_get() && cells_.contains(row)) {
        one->mutable_result()->set_associated_cell_count(1);
        *cells += cells_[row];
      } else {
        one->mutable_result();
      }
    }
  }
  return response.SerializeAsString();
}

std::string FakeHBase::AnswerMutate(const Call& call) {
  pb::MutateRequest request;
  request.ParseFromString(call.request);
  pb::BinaryComparator comparator;
  comparator.ParseFromString(request.condition().comparator().serialized_comparator());
  pb::MutateResponse response;
  const std::lock_guard lock(mu_);
  const bool same = values_[request.mutation().row()] == comparator.comparable().value();
  if (same) Store(call.cells);
  response.set_processed(same);
  return response.SerializeAsString();
}

/// As HBase: the call that opens a scanner has no number, the next one is 0.
std::string FakeHBase::AnswerScan(const Call& call, std::string* cells, Reaction* fault) {
  pb::ScanRequest request;
  request.ParseFromString(call.request);
  if (request.region().value() == kMetaRegion) return AnswerMeta(request, cells);
  pb::ScanResponse response;
  response.set_more_results(true);
  response.set_more_results_in_region(false);
  response.set_mvcc_read_point(read_point_of ? read_point_of(request.region().value()) : 77);
  const std::lock_guard lock(mu_);
  if (request.close_scanner()) {
    ++calls_["Close"];
    scanners_.erase(request.scanner_id());
    return response.SerializeAsString();
  }
  if (on_scan && on_scan(request, &response, cells)) return response.SerializeAsString();
  const bool opens = !request.has_scanner_id();
  const uint64_t id = opens ? ++last_scanner_ : request.scanner_id();
  if (opens) scanners_[id].request = request;
  Scanner& scanner = scanners_[id];
  if (!opens && request.next_call_seq() != scanner.next++) {
    *fault = {.kind = Reaction::Kind::kException,
              .exception = "org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException"};
    return "";
  }
  response.set_scanner_id(id);
  pb::Scan* scan = scanner.request.mutable_scan();
  const std::string& name = scanner.request.region().value();
  std::string end;
  for (size_t i = 0; i + 1 < starts_.size(); ++i) {
    if (name.starts_with("t," + starts_[i] + ",")) end = starts_[i + 1];
  }
  const uint32_t most = rows_of_answer == 0 ? UINT32_MAX : rows_of_answer;
  std::string last;
  for (const auto& [row, cell] : cells_) {
    const bool before = row < scan->start_row() || (row == scan->start_row() && !scan->include_start_row());
    const bool behind = (!scan->stop_row().empty() && row >= scan->stop_row()) || (!end.empty() && row >= end);
    if (before || behind) continue;
    const auto sent = static_cast<uint32_t>(response.cells_per_result_size());
    if (sent == request.number_of_rows() || sent == most) {
      response.set_more_results(sent != request.number_of_rows());
      response.set_more_results_in_region(true);
      break;
    }
    response.add_cells_per_result(1);
    response.add_partial_flag_per_result(false);
    *cells += cell;
    last = row;
  }
  if (!last.empty()) {
    scan->set_start_row(last);
    scan->set_include_start_row(false);
  }
  return response.SerializeAsString();
}

std::string FakeHBase::AnswerMeta(const pb::ScanRequest& request, std::string* cells) {
  const std::lock_guard lock(mu_);
  pb::ScanResponse response;
  response.set_more_results(false);
  if (request.scan().column(0).family() == "table") {
    ++calls_["State"];
    if (request.scan().start_row() != "t") return response.SerializeAsString();
    response.add_cells_per_result(1);
    *cells += WrittenCell("t", {"table", "state", 1, CellType::kPut, std::string("\x08\x00", 2), {}});
    return response.SerializeAsString();
  }
  if (answer_meta && answer_meta(request, &response, cells)) return response.SerializeAsString();
  const std::string& from = request.scan().start_row();
  const std::string wanted = from.size() > 2 ? from.substr(2, from.rfind(',') - 2) : "";
  for (size_t i = 0; i < starts_.size(); ++i) {
    const std::string end = i + 1 < starts_.size() ? starts_[i + 1] : "";
    const bool has = wanted >= starts_[i] && (end.empty() || wanted < end);
    const bool of_table = from == "t" || from.starts_with("t,");
    if (!of_table || (request.scan().reversed() ? !has : !request.scan().include_start_row())) continue;
    pb::RegionInfo info;
    info.set_region_id(static_cast<uint64_t>(sequence_));
    info.mutable_table_name()->set_namespace_("default");
    info.mutable_table_name()->set_qualifier("t");
    info.set_start_key(starts_[i]);
    info.set_end_key(end);
    const std::string name =
        "t," + starts_[i] + "," + std::to_string(starts_.size()) + ".x" + (i > 0 ? std::to_string(i) : "") + ".";
    std::string sequence;
    AppendBigEndian64(sequence_, &sequence);
    const auto add = [&](const std::string& qualifier, const std::string& value) {
      *cells += WrittenCell(name, {"info", qualifier, 1, CellType::kPut, value, {}});
    };
    add("regioninfo", "PBUF" + info.SerializeAsString());
    add("seqnumDuringOpen", sequence);
    add("server", host_ + ":" + std::to_string(region_port_));
    response.add_cells_per_result(3);
  }
  return response.SerializeAsString();
}

std::string FakeHBase::AnswerMaster(const Call& call) const {
  if (knows_nothing && call.service == "ClientMetaService") return "";
  pb::ServerName here;
  here.set_host_name(own_host);
  here.set_port(static_cast<uint32_t>(port_));
  if (call.method == "GetActiveMaster") {
    pb::GetActiveMasterResponse response;
    *response.mutable_server_name() = here;
    return response.SerializeAsString();
  }
  if (call.method == "GetMetaRegionLocations") {
    pb::GetMetaRegionLocationsResponse response;
    *response.add_meta_locations()->mutable_server_name() = here;
    return response.SerializeAsString();
  }
  if (call.method == "GetClusterStatus") {
    pb::GetClusterStatusResponse response;
    response.mutable_cluster_status()->mutable_hbase_version()->set_version("2.6.1");
    response.mutable_cluster_status()->mutable_cluster_id()->set_cluster_id("the-cluster");
    *response.mutable_cluster_status()->add_servers_name() = here;
    auto* live = response.mutable_cluster_status()->add_live_servers();
    *live->mutable_server() = here;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const int64_t now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
    live->mutable_server_load()->set_report_end_time(static_cast<uint64_t>(now_ms + clock_ahead_ms));
    for (const auto& [name, megabytes] : region_loads) {
      auto* load = live->mutable_server_load()->add_region_loads();
      load->mutable_region_specifier()->set_type(1);
      load->mutable_region_specifier()->set_value(name);
      load->set_stores(2);
      load->set_store_uncompressed_size_mb(megabytes);
      load->set_mem_store_size_mb(1);
    }
    if (unreachable_port != 0) {
      here.set_port(unreachable_port);
      *response.mutable_cluster_status()->add_servers_name() = here;
    }
    return response.SerializeAsString();
  }
  if (call.method == "GetClusterId") {
    pb::GetClusterIdResponse response;
    response.set_cluster_id("the-cluster");
    return response.SerializeAsString();
  }
  if (call.method == "GetTableDescriptors") {
    pb::GetTableDescriptorsResponse response;
    pb::TableSchema* schema = response.add_table_schema();
    schema->mutable_table_name()->set_namespace_("default");
    schema->mutable_table_name()->set_qualifier("t");
    schema->add_column_families()->set_name("f");
    return response.SerializeAsString();
  }
  return "";
}

}  // namespace fensi::hbase
