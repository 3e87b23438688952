// Reads a changelog topic to its end with readers that others wrote, and prints the tables that they rebuild.
//
//   ChangelogReader BROKERS TOPIC flink|debezium FIELD…
//
// flink: Flink's deserializer of debezium-json, for messages without a schema. It refuses an update or a removal without `before`.
// debezium: Kafka Connect's JsonConverter and Debezium's ExtractNewRecordState, for messages with their schema.
// Transactions that were aborted are left out. A line for each row at the end: its fields, with a tab between them and "-" for null.
// The last line has the numbers of messages by operation, and of tombstones.
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import io.debezium.transforms.ExtractNewRecordState;
import org.apache.flink.formats.common.TimestampFormat;
import org.apache.flink.formats.json.debezium.DebeziumJsonDeserializationSchema;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.DataType;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.sink.SinkRecord;

public class ChangelogReader {
  interface Reader {
    void read(ConsumerRecord<byte[], byte[]> record) throws Exception;
  }

  static final TreeMap<String, String> table = new TreeMap<>();
  static final TreeMap<String, Integer> counts = new TreeMap<>();

  static void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  /** As Flink keeps a table with a primary key: the newest row of a key counts. */
  static Reader flink(List<String> fields) throws Exception {
    List<DataTypes.Field> columns = new ArrayList<>();
    for (String field : fields) columns.add(DataTypes.FIELD(field, DataTypes.STRING()));
    DataType row = DataTypes.ROW(columns.toArray(new DataTypes.Field[0])).notNull();
    DebeziumJsonDeserializationSchema schema = new DebeziumJsonDeserializationSchema(
        row, Collections.emptyList(), InternalTypeInfo.of(row.getLogicalType()), false, false, TimestampFormat.ISO_8601);
    schema.open(null);
    Collector<RowData> collector = new Collector<RowData>() {
      public void collect(RowData change) {
        count(change.getRowKind().shortString());
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < fields.size(); ++i) texts.add(change.isNullAt(i) ? "-" : change.getString(i).toString());
        if (change.getRowKind() == RowKind.DELETE || change.getRowKind() == RowKind.UPDATE_BEFORE) {
          table.remove(texts.get(0));
        } else {
          table.put(texts.get(0), String.join("\t", texts));
        }
      }
      public void close() {}
    };
    return record -> {
      if (record.value() == null) count("tombstone");
      schema.deserialize(record.value(), collector);
    };
  }

  /** As a sink connector keeps it: a record without a value removes the row. */
  static Reader debezium(List<String> fields) {
    JsonConverter keys = new JsonConverter(), values = new JsonConverter();
    keys.configure(Map.of("schemas.enable", "true"), true);
    values.configure(Map.of("schemas.enable", "true"), false);
    ExtractNewRecordState<SinkRecord> unwrap = new ExtractNewRecordState<>();
    unwrap.configure(Map.of("delete.tombstone.handling.mode", "tombstone", "add.fields", "op,source.table,source.connector"));
    return record -> {
      SchemaAndValue key = keys.toConnectData(record.topic(), record.key());
      SchemaAndValue value = values.toConnectData(record.topic(), record.value());
      SinkRecord state = unwrap.apply(new SinkRecord(record.topic(), record.partition(), key.schema(), key.value(), value.schema(),
          value.value(), record.offset()));
      if (state == null) return;  // the SMT makes the tombstone of a removal itself, and drops the one that follows
      String row = ((Struct) key.value()).getString("row");
      if (state.value() == null) {
        count("tombstone");
        table.remove(row);
        return;
      }
      Struct after = (Struct) state.value();
      if (!after.getString("__source_connector").equals("fensi")) throw new IllegalStateException("source: " + after);
      count(after.getString("__op"));
      List<String> texts = new ArrayList<>();
      for (String field : fields) texts.add(after.get(field) == null ? "-" : after.getString(field));
      table.put(row, String.join("\t", texts));
    };
  }

  public static void main(String[] words) throws Exception {
    List<String> fields = List.of(words).subList(3, words.length);
    Reader reader = words[2].equals("flink") ? flink(fields) : debezium(fields);
    Map<String, Object> options = Map.of("bootstrap.servers", words[0], "isolation.level", "read_committed");
    try (KafkaConsumer<byte[], byte[]> consumer =
             new KafkaConsumer<>(options, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = new ArrayList<>();
      consumer.partitionsFor(words[1]).forEach(info -> partitions.add(new TopicPartition(words[1], info.partition())));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) reader.read(record);
      }
    }
    table.values().forEach(System.out::println);
    System.out.println("counts " + counts);
  }
}
