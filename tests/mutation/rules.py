"""The rules of maintenance (docs/maintenance.md), and the claims that are made of a mapping, each taken out of the code by one small change, and the tests that must fail then."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    rule: str  # of docs/maintenance.md, or the kind of claim
    what: str
    file: str
    before: str
    after: str
    binary: str
    filter: str  # of GoogleTest


NAMED = "indexer_test"
CONVERGENCE = "convergence_property_test"
CLAIMS = "mapping_key_property_test"

MUTATIONS = (
    Mutation("M1", "a family's marker hides nothing", "indexer/state/registers.cc",
             "return timestamp > marker && (markers == nullptr || timestamp > markers->marker);",
             "(void)markers; return timestamp > marker;", CONVERGENCE, "*OfAnyOrderAndRepetition/value"),
    Mutation("M2", "of two puts of one millisecond the later told wins", "indexer/state/registers.cc",
             "return put.sequence_id >= old.sequence_id;", "return true;", NAMED, "NamedCases.*"),
    Mutation("M3", "the state's timestamp is not the row's version", "indexer/state/state_table.cc",
             "StateCell(kStateFamily, key, StateVersion(unit), EncodeUnit", "StateCell(kStateFamily, key, 1, EncodeUnit",
             NAMED, "NamedCases.*"),
    Mutation("M4", "a step may keep the version", "indexer/plan/unit_planner.cc",
             "std::max(newest, unit.version + 1) +", "std::max(newest, unit.version) +",
             NAMED, "NamedCases.*"),
    Mutation("M5", "a put and its removal in one batch cancel each other", "indexer/plan/change_set.cc",
             "  change->remove_version = std::max(change->remove_version, version);\n",
             "  if (change->put_version >= 0) {\n    change->put_version = -1;\n    return;\n  }\n"
             "  change->remove_version = std::max(change->remove_version, version);\n", NAMED, "NamedCases.*"),
    Mutation("M6", "a removal deletes one version", "indexer/plan/change_set.cc",
             ".type = CellType::kDeleteColumn}, {change.removed_by}",
             ".type = CellType::kDelete}, {change.removed_by}",
             NAMED, "NamedCases.*"),
    Mutation("M7", "removals are written before puts", "indexer/index_writer.cc",
             "  FENSI_RETURN_IF_ERROR(WriteTables(puts, false, &deletes));\n"
             "  FENSI_RETURN_IF_ERROR(WriteTables(deletes, true, nullptr));\n",
             "  FENSI_RETURN_IF_ERROR(WriteTables(deletes, true, nullptr));\n"
             "  FENSI_RETURN_IF_ERROR(WriteTables(puts, false, &deletes));\n",
             "reader_property_test", "*value"),
    Mutation("M7", "states are written before entries", "indexer/maintainer.cc",
             "  FENSI_RETURN_IF_ERROR(WriteIndex(changes, reports));\n",
             "  FENSI_RETURN_IF_ERROR(WriteStates(rows));\n"
             "  FENSI_RETURN_IF_ERROR(WriteIndex(changes, reports));\n", "every_crash_test", "*"),
    Mutation("M7", "states are written before dead letters", "indexer/maintainer.cc",
             "  FENSI_RETURN_IF_ERROR(SendDeadLetters(batch, reports));\n"
             "  FENSI_RETURN_IF_ERROR(WriteStates(rows));\n",
             "  FENSI_RETURN_IF_ERROR(WriteStates(rows));\n"
             "  FENSI_RETURN_IF_ERROR(SendDeadLetters(batch, reports));\n", "every_crash_test", "*"),
    Mutation("M3", "a unit's state has no bound", "indexer/plan/unit_planner.cc",
             "for (const std::string& lost : Fit(unit))", "for (const std::string& lost : std::vector<std::string>())",
             NAMED, "UnitBounds.*"),
    Mutation("M3", "a late put of a forgotten column is taken as any other", "indexer/plan/unit_planner.cc",
             "return cell.timestamp <= unit.forgotten &&", "return cell.timestamp < unit.forgotten - INT64_MAX &&",
             NAMED, "UnitBounds.*"),
    Mutation("M7", "one refused cell takes the cells of its index row along", "indexer/index_writer.cc",
             "alone.rows.push_back({row.row, {row.cells[i]}});",
             "alone.rows.push_back(row);", NAMED, "Refusals.*"),
    Mutation("M7", "what a refused put was to replace stays", "indexer/index_writer.cc",
             "if (origin.replaces == Origin::kNoEntry) return;",
             "if (origin.replaces <= INT64_MAX) return;", NAMED, "Refusals.*"),
    Mutation("M8", "version deletes and late puts are no doubt", "indexer/plan/unit_planner.cc",
             "work->doubtful |= effect.open;", "work->doubtful |= false;", NAMED, "NamedCases.*"),
    Mutation("M8.1", "no intent is written before a doubtful row's entries", "indexer/doubts.cc",
             "store_->Put(index_->state_table(), intents);", "store_->Put(index_->state_table(), {});", NAMED,
             "NamedCases.*"),
    Mutation("M8", "the source is looked at once", "indexer/doubts.cc",
             "return record.broker_time == 0 ||", "return record.broker_time > 0 &&", NAMED, "NamedCases.*"),
    Mutation("M8", "versions follow from what was read", "indexer/plan/unit_planner.cc",
             "(unit.doubted ? 1 : 0)", "(work->doubtful ? 1 : 0)", NAMED, "NamedCases.*"),
    Mutation("M8.1", "an intent replaces the finished doubt", "indexer/state/state_table.cc",
             "const std::string key = kIntent + nonce + UnitKey", "(void)nonce;\n  const std::string key = kFinished + UnitKey",
             NAMED, "NamedCases.*"),
    Mutation("M8.2", "entries by the plain registers are no candidates for removal", "indexer/plan/unit_planner.cc",
             "  Remember(before_, &work->candidates);\n  Remember(after_, &work->candidates);\n", "  (void)work;\n",
             NAMED, "NamedCases.*"),
    Mutation("M9", "family markers are forgotten", "indexer/plan/batch_planner.cc",
             "step.families_changed = ApplyMarkers(event, sequence_id, families);",
             "FamilySet forgotten;\n    step.families_changed = ApplyMarkers(event, sequence_id, &forgotten);",
             NAMED, "NamedCases.*"),
    Mutation("M10", "delete markers of the index are purged at once", "indexer/tables.cc",
             "  family.configuration[kPurgeDelayKey] = kPurgeDelayMillis;\n", "",
             NAMED, "NamedCases.F8*"),
    Mutation("M11", "a lost partition is written on", "indexer/maintainer.cc",
             "FENSI_RETURN_IF_ERROR(assignment_->Check());", "(void)0;", NAMED, "*"),
    Mutation("M12", "the rows of a topic are spread over partitions", "consumer/kafka/producer/producer_config.cc",
             '{"partitioner", "murmur2_random"}', '{"partitioner", "random"}', "kafka_topic_test", "*ARowAlwaysGoes*"),
    Mutation("M12", "a message of another row's partition is taken", "consumer/codec/event_decoder.cc",
             "key != event->row", "key.empty()", "codec_test", "*"),
    Mutation("M13", "reads of state are skipped after a commit", "indexer/index_meta.cc",
             "return Start{*first, false};", "return Start{*first, true};", NAMED, "*"),
    Mutation("width", "hex digits are as many as bytes", "mapping/functions/numbers.cc",
             "shape->max_width == Shape::kUnbounded ? Shape::kUnbounded : 2 * shape->max_width", "shape->max_width",
             CLAIMS, "Parts.*"),
    Mutation("alphabet", "'upper' brings no letter back", "mapping/functions/pieces.cc",
             "  shape->bytes = after;\n", "", CLAIMS, "Parts.*"),
    Mutation("range", "a sum has the range of its number", "mapping/functions/arithmetic.cc",
             "SetRange(shape->least + n, shape->most + n, shape);",
             "(void)n;\n  SetRange(shape->least, shape->most, shape);", CLAIMS, "Parts.*"),
    Mutation("bits", "what is cut off a hash takes nothing with it", "mapping/functions/pieces.cc",
             "shape->Merge(cut * bits + one_more);", "(void)(cut * bits + one_more);", CLAIMS, "Hashes.*"),
    Mutation("order", "'pad' keeps the order of values of any width", "mapping/functions/order.cc",
             "  if (!before.fixed()) shape->LoseOrder();\n", "", CLAIMS, "Parts.*"),
    Mutation("order", "big-endian bytes keep the order of negative numbers", "mapping/functions/numbers.cc",
             "  if (!shape->non_negative()) {\n", "  if (false) {\n", CLAIMS, "Parts.*"),
    Mutation("order", "'descending' turns nothing round", "mapping/functions/shape.cc",
             "  std::swap(ordered, descending);\n", "", CLAIMS, "Parts.*"),
    Mutation("injective", "'trim' loses nothing", "mapping/functions/pieces.cc",
             "  if ((shape->bytes & BytesOf(kSpace)).none()) return;\n  shape->MergeAny();\n",
             "  if ((shape->bytes & BytesOf(kSpace)).none()) return;\n", CLAIMS, "Parts.*"),
    Mutation("end", "what was changed behind its end still ends itself", "mapping/functions/shape.cc",
             "  piece = terminated = false;\n", "  piece = false;\n", CLAIMS, "Parts.*"),
    Mutation("total", "'without' refuses nothing", "mapping/functions/order.cc",
             "  if (shape->bytes[byte]) shape->total = false;\n", "", CLAIMS, "Parts.*"),
    Mutation("absent", "a piece is always there", "mapping/functions/pieces.cc",
             "  shape->may_be_absent = true;\n", "", CLAIMS, "Parts.*"),
    Mutation("readable", "a part behind an open one is read from the front", "mapping/definition/analysis.cc",
             "back = back && program.parts[k].shape.fixed();", "back = back && EndsItself(program, k);",
             CLAIMS, "AcceptedMappings.*"),
    Mutation("apart", "columns of one family are not compared", "mapping/definition/analysis.cc",
             "if (in_row < in_qualifiers) in_qualifiers", "if (false) in_qualifiers", CLAIMS, "AcceptedMappings.*"),
    Mutation("unit", "columns of one row never meet", "mapping/definition/analysis.cc",
             "!definition.exists && BoundColumnsApart(definition);", "!definition.exists;",
             CLAIMS, "AcceptedMappings.*"),
)
