import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.*;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What somebody would write in an afternoon instead of fensi, to compare with: a thread for each partition reads the change stream
 * (proto/change_event.proto) and puts for each put the inverse cell through a BufferedMutator. It copies puts and nothing else:
 * deletes are passed over, the entry of an earlier value stays, a redelivery after a delete brings an entry back.
 *
 * BROKER TOPIC PARTITIONS INDEX qualifier|value: from what the group of this name committed to the end of the topic. Prints how many
 * records that were, and what it took from the first of them until HBase had taken them all: seconds, and CPU seconds of the process.
 */
public class PlainConsumer {
  private static final byte[] FAMILY = Bytes.toBytes("f1");
  private static final int RECORDS_PER_COMMIT = 20_000;
  private static final int PUT = 4;
  private static final OperatingSystemMXBean PROCESS = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** When, and after what CPU time of the process, in nanoseconds. */
  private record Moment(long time, long cpu) {
    static Moment now() {
      return new Moment(System.nanoTime(), PROCESS.getProcessCpuTime());
    }
  }

  private final AtomicReference<Moment> first = new AtomicReference<>();
  private final AtomicReference<Moment> last = new AtomicReference<>();  // when HBase had taken everything

  private final String broker;
  private final String topic;
  private final TableName index;
  private final boolean byValue;

  private PlainConsumer(String[] words) {
    broker = words[0];
    topic = words[1];
    index = TableName.valueOf(words[3]);
    byValue = words[4].equals("value");
  }

  public static void main(String[] words) throws Exception {
    PlainConsumer consumer = new PlainConsumer(words);
    int partitions = Integer.parseInt(words[2]);
    ExecutorService pool = Executors.newFixedThreadPool(partitions);
    long records = 0;
    try (Connection hbase = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      List<Future<Long>> all = new ArrayList<>();
      for (int partition = 0; partition < partitions; partition++) {
        TopicPartition one = new TopicPartition(consumer.topic, partition);
        all.add(pool.submit(() -> consumer.copy(hbase, one)));
      }
      for (Future<Long> one : all) {
        records += one.get();
      }
    }
    pool.shutdown();
    Moment begin = consumer.first.get();
    Moment end = consumer.last.get();
    System.out.printf("%d %.3f %.3f%n", records, (end.time - begin.time) / 1e9, (end.cpu - begin.cpu) / 1e9);
  }

  private long copy(Connection hbase, TopicPartition partition) throws IOException {
    long records = 0;
    try (KafkaConsumer<byte[], byte[]> kafka = open(partition); BufferedMutator puts = hbase.getBufferedMutator(index)) {
      long end = kafka.endOffsets(Set.of(partition)).get(partition);
      long committed = kafka.position(partition);
      while (kafka.position(partition) < end) {
        ConsumerRecords<byte[], byte[]> polled = kafka.poll(Duration.ofSeconds(1));
        if (!polled.isEmpty() && first.get() == null) {
          first.compareAndSet(null, Moment.now());
        }
        for (ConsumerRecord<byte[], byte[]> record : polled) {
          copyEvent(CodedInputStream.newInstance(record.value()), puts);
          records++;
        }
        if (kafka.position(partition) - committed >= RECORDS_PER_COMMIT || kafka.position(partition) >= end) {
          puts.flush();
          last.accumulateAndGet(Moment.now(), (one, other) -> one == null || one.time < other.time ? other : one);
          committed = kafka.position(partition);
          kafka.commitSync(Map.of(partition, new OffsetAndMetadata(committed)));
        }
      }
    }
    return records;
  }

  private KafkaConsumer<byte[], byte[]> open(TopicPartition partition) {
    KafkaConsumer<byte[], byte[]> kafka = new KafkaConsumer<>(
        Map.of("bootstrap.servers", broker, "group.id", "plain-" + index, "enable.auto.commit", "false", "auto.offset.reset",
            "earliest", "max.poll.records", "5000"),
        new ByteArrayDeserializer(), new ByteArrayDeserializer());
    kafka.assign(Set.of(partition));
    return kafka;
  }

  private void copyEvent(CodedInputStream event, BufferedMutator puts) throws IOException {
    byte[] row = null;
    List<byte[]> cells = new ArrayList<>(1);
    for (int tag = event.readTag(); tag != 0; tag = event.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 3: row = event.readByteArray(); break;
        case 4: cells.add(event.readByteArray()); break;
        default: event.skipField(tag);
      }
    }
    for (byte[] cell : cells) {
      copyCell(row, CodedInputStream.newInstance(cell), puts);
    }
  }

  private void copyCell(byte[] row, CodedInputStream cell, BufferedMutator puts) throws IOException {
    byte[] qualifier = new byte[0];
    byte[] value = new byte[0];
    long timestamp = 0;
    int type = 0;
    for (int tag = cell.readTag(); tag != 0; tag = cell.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 2: qualifier = cell.readByteArray(); break;
        case 3: timestamp = cell.readInt64(); break;
        case 4: type = cell.readEnum(); break;
        case 5: value = cell.readByteArray(); break;
        default: cell.skipField(tag);
      }
    }
    if (type == PUT) {
      puts.mutate(new Put(byValue ? value : qualifier).addColumn(FAMILY, row, timestamp, Bytes.toBytes(Long.toString(timestamp))));
    }
  }
}
