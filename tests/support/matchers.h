// The matchers that nearly every test needs, by their short names; what only some need they name themselves.
#pragma once

#include <gmock/gmock.h>

namespace fensi {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

}  // namespace fensi
