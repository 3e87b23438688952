import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;

/**
 * The coprocessor that is commonly written for an index, to compare with: before each put of the source it puts the inverse cell
 * into the table that the source's descriptor names as `index`, and the writer waits for it. Knows no deletes.
 */
public class InverseObserver implements RegionCoprocessor, RegionObserver {
  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit, Durability durability)
      throws IOException {
    RegionCoprocessorEnvironment region = context.getEnvironment();
    TableName index = TableName.valueOf(region.getRegion().getTableDescriptor().getValue("index"));
    try (Table table = region.getConnection().getTable(index)) {
      for (List<Cell> cells : put.getFamilyCellMap().values()) {
        for (Cell cell : cells) {
          table.put(new Put(CellUtil.cloneQualifier(cell)).addColumn(CellUtil.cloneFamily(cell), put.getRow(),
              Bytes.toBytes(Long.toString(cell.getTimestamp()))));
        }
      }
    }
  }
}
