// An ordinary transactional producer, as Flink, Spring or Streams have one: each event is a transaction of its own, at
// a steady rate. Transactions of lines that begin with '!' are aborted. Says how many were committed in what time.
//   transaction_loader HOST:PORT TOPIC TRANSACTIONS_PER_SECOND < lines of JSON events
#include <librdkafka/rdkafka.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "consumer/codec/event_codec.h"
#include "consumer/codec/json_decoder.h"
#include "consumer/kafka/client/client_config.h"

namespace fensi::consumer {
namespace {

constexpr int kTimeoutMs = 60'000;
constexpr int kProducers = 4;  // a transaction waits for answers

/// Lines of standard input for several threads, at a steady rate over all of them.
class PacedLines {
 public:
  explicit PacedLines(double per_second) : per_second_(per_second) {}

  bool Next(std::string* line) {
    std::chrono::steady_clock::time_point due;
    {
      const std::lock_guard lock(mu_);
      if (!std::getline(std::cin, *line)) return false;
      due =
          begin_ + std::chrono::round<std::chrono::milliseconds>(std::chrono::duration<double>(count_++ / per_second_));
    }
    std::this_thread::sleep_until(due);
    return true;
  }

 private:
  const double per_second_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mu_;
  double count_ = 0;  // guarded by mu_, as standard input is
};

Status Outcome(rd_kafka_error_t* error, const char* doing) {
  const ErrorHandle handle(error);
  return error == nullptr ? Status()
                          : Status(StatusCode::kInternal, std::string(doing) + ": " + rd_kafka_error_string(error));
}

Result<ClientHandle> MakeProducer(const std::string& brokers, const std::string& id) {
  ConfHandle config(rd_kafka_conf_new());
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{{"bootstrap.servers", brokers},
                                                                                    {"transactional.id", id},
                                                                                    {"partitioner", "murmur2_random"},
                                                                                    {"linger.ms", "0"}}) {
    if (rd_kafka_conf_set(config.get(), name.c_str(), value.c_str(), nullptr, 0) != RD_KAFKA_CONF_OK) {
      return Status(StatusCode::kInvalidArgument, name);
    }
  }
  Result<ClientHandle> client = MakeClient(RD_KAFKA_PRODUCER, std::move(config));
  if (client.ok()) {
    if (Status status = Outcome(rd_kafka_init_transactions(client->get(), kTimeoutMs), "init"); !status.ok())
      return status;
  }
  return client;
}

Status Transact(rd_kafka_t* client, const std::string& topic, const ChangeEvent& event, bool commit) {
  const std::string value = EncodeEvent(event);
  FENSI_RETURN_IF_ERROR(Outcome(rd_kafka_begin_transaction(client), "begin"));
  const rd_kafka_resp_err_t error =
      rd_kafka_producev(client, RD_KAFKA_V_TOPIC(topic.c_str()), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                        RD_KAFKA_V_KEY(event.row.data(), event.row.size()),
                        RD_KAFKA_V_VALUE(const_cast<char*>(value.data()), value.size()), RD_KAFKA_V_END);
  FENSI_RETURN_IF_ERROR(KafkaStatus(error, "producing"));
  if (commit) return Outcome(rd_kafka_commit_transaction(client, kTimeoutMs), "commit");
  FENSI_RETURN_IF_ERROR(KafkaStatus(rd_kafka_flush(client, kTimeoutMs), "flushing"));  // so that the log has it
  return Outcome(rd_kafka_abort_transaction(client, kTimeoutMs), "abort");
}

/// How many were committed.
Result<int> Produce(const std::string& brokers, const std::string& topic, int number, PacedLines* lines) {
  Result<ClientHandle> client = MakeProducer(brokers, topic + "-" + std::to_string(number));
  if (!client.ok()) return client.status();
  JsonDecoder decoder;
  ChangeEvent event;
  int committed = 0;
  for (std::string line; lines->Next(&line);) {
    const bool commit = line[0] != '!';
    FENSI_RETURN_IF_ERROR(decoder.Decode(commit ? line : line.substr(1), &event));
    FENSI_RETURN_IF_ERROR(Transact(client->get(), topic, event, commit));
    committed += commit ? 1 : 0;
  }
  return committed;
}

int Run(const std::string& brokers, const std::string& topic, double per_second) {
  PacedLines lines(per_second);
  std::vector<std::future<Result<int>>> producers;
  for (int number = 0; number < kProducers; ++number) {
    producers.push_back(
        std::async(std::launch::async, [&, number] { return Produce(brokers, topic, number, &lines); }));
  }
  int committed = 0;
  for (std::future<Result<int>>& producer : producers) {
    const Result<int> done = producer.get();
    if (!done.ok()) {
      std::fprintf(stderr, "%s\n", done.status().ToString().c_str());
      return EXIT_FAILURE;
    }
    committed += *done;
  }
  std::printf("%d\n", committed);
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace fensi::consumer

int main(int argc, char** argv) {
  if (argc != 4) return EXIT_FAILURE;
  return fensi::consumer::Run(argv[1], argv[2], std::atof(argv[3]));
}
