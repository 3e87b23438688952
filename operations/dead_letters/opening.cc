
#include "operations/dead_letters/dead_letter_log.h"

namespace fensi::operations {

Result<OpenedLetters> OpenLetters(const mapping::Index& index, const LettersPlace& place) {
  OpenedLetters opened;
  if (place.file.empty()) {
    opened.reader =
        std::make_unique<TopicLetters>(place.kafka.cluster, index.dead_letter_topic(), place.kafka.connect_timeout);
  } else {
    opened.reader = std::make_unique<FileLetters>(place.file);
  }
  opened.log = std::make_unique<DeadLetterLog>(opened.reader.get(), index.name());
  FENSI_RETURN_IF_ERROR(opened.log->ReadLedger());
  return opened;
}

}  // namespace fensi::operations
