#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/bytes.h"
#include "mapping/functions/function.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

TEST(Functions, DoWhatTheirExamplesSay) {
  for (const Function& function : Functions()) {
    const Example& example = function.example;
    const std::string result = RunSteps(std::string(example.steps), *Unescape(example.input));
    EXPECT_EQ(*Unescape(result), *Unescape(example.output)) << function.name;
  }
}

TEST(Functions, HaveOneNameForEachTypeAndAnExampleThatUsesIt) {
  std::map<std::string_view, unsigned> inputs;
  for (const Function& function : Functions()) {
    EXPECT_EQ(inputs[function.name] & function.inputs, 0U) << function.name << " of one type twice";
    inputs[function.name] |= function.inputs;
    EXPECT_NE(function.example.steps.find(function.name), std::string_view::npos) << function.name;
    EXPECT_FALSE(function.summary.empty()) << function.name;
  }
}

struct Case {
  const char* steps;
  const char* input;
  const char* output;
};

TEST(Functions, AValueThatIsCutInAReasonIsCutBetweenCharacters) {
  const std::string value = std::string(99, 'a') + "\xE5\x85\xB3";
  EXPECT_EQ(RunSteps("| fixed 2", value),
            "unmappable: \"" + std::string(99, 'a') + "…\" (102 bytes) has 102 bytes, not 2");
}

class FunctionCases : public ::testing::TestWithParam<Case> {};

TEST_P(FunctionCases, GiveTheResult) {
  EXPECT_EQ(RunSteps(GetParam().steps, *Unescape(GetParam().input)), GetParam().output);
}

INSTANTIATE_TEST_SUITE_P(
    Pieces, FunctionCases,
    ::testing::Values(Case{"| first 9", "abc", "abc"}, Case{"| last 9", "abc", "abc"}, Case{"| slice 1", "abc", "bc"},
                      Case{"| slice 5 9", "abc", ""}, Case{"| split , 2", "a,b", "absent"},
                      Case{"| split \", \" 1", "a, b", "b"}, Case{"| split , 1 | default x", "a", "x"},
                      Case{"| before -", "a", "absent"}, Case{"| after -", "a-b-c", "b-c"},
                      Case{"| replace aa b", "aaaaa", "bba"}, Case{"| replace \"|\" \"}\"", "a|b", "a}b"},
                      Case{"| match /x+/", "axxb", "xx"}, Case{"| match /a\\/(\\d{2,})/ 1", "a/17", "17"},
                      Case{"| match /z/", "abc", "absent"}, Case{"| match /\\xff(.)/ 1", "\\xFFa", "a"}));

INSTANTIATE_TEST_SUITE_P(
    OrderAndWidth, FunctionCases,
    ::testing::Values(Case{"| pad 2 0", "123", "123"},
                      Case{"| fixed 2", "123", "unmappable: \"123\" has 3 bytes, not 2"},
                      Case{"| reverse_domain", "a", "a"}, Case{"| reverse_domain", "a..b", "b..a"},
                      Case{"| terminated", "a\\x00b", "a\\x00\\x01b\\x00\\x00"}, Case{"| terminated", "", "\\x00\\x00"},
                      Case{"| without \\x00", "a\\x00", "unmappable: \"a\\x00\" contains \"\\x00\""}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, FunctionCases,
    ::testing::Values(Case{"| int | decimal", "x7", "unmappable: \"x7\" is not a whole number"},
                      Case{"| int | decimal", "", "unmappable: \"\" is not a whole number"},
                      Case{"| int | decimal", "-5", "-5"},
                      Case{"| int | decimal", "+-5", "unmappable: \"+-5\" is not a whole number"},
                      Case{"| int | decimal", "9223372036854775808",
                           "unmappable: \"9223372036854775808\" does not fit 64 bits"},
                      Case{"| u64 | decimal", "\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF",
                           "unmappable: \"\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\" is above 9223372036854775807, the "
                           "largest number that fensi takes"},
                      Case{"| i32 | decimal", "abc", "unmappable: \"abc\" has 3 bytes, not 4"},
                      Case{"| int | to_be 1", "256", "unmappable: 256 does not fit 1 byte without sign"},
                      Case{"| int | to_be 2", "-1", "unmappable: -1 does not fit 2 bytes without sign"},
                      Case{"| int | to_be 8", "-1", "\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF"},
                      Case{"| int | ordered 1", "128", "unmappable: 128 does not fit 1 byte"},
                      Case{"| int | ordered 1", "-128", "\\x00"},
                      Case{"| int | decimal 2", "123", "unmappable: 123 has more than 2 digits"},
                      Case{"| int | decimal 4", "-12", "unmappable: -12 is negative: padded digits have no sign"},
                      Case{"| int | add 1 | decimal", "9223372036854775807",
                           "unmappable: 9223372036854775807 leaves the 64-bit range"},
                      Case{"| int | mod 16 | decimal", "-9223372036854775808", "0"},
                      Case{"| int | descending | decimal", "-1", "unmappable: -1 is negative"},
                      Case{"| md5 | first 4 | u32 | mod 16 | to_be 1", "a", "\\x09"}));

INSTANTIATE_TEST_SUITE_P(
    Times, FunctionCases,
    ::testing::Values(
        Case{"| int | from_ms | time \"%Y-%m-%d %H:%M:%S.%L\"", "1482125382074", "2016-12-19 05:29:42.074"},
        Case{"| int | from_ms | time %Y%j", "1482125382074", "2016354"},
        Case{"| int | from_ms | time %H%M -01:30", "0", "2230"}, Case{"| int | from_ms | time %Y", "-1", "1969"},
        Case{"| int | from_s | seconds | decimal", "9223372036854775807",
             "unmappable: 9223372036854775807 seconds are outside the range of times"},
        Case{"| int | from_ms | time %Y", "9223372036854775807",
             "unmappable: 9223372036854775807 ms are outside the years 0 to 9999"},
        Case{"| parse_time %Y-%m-%d | seconds | decimal", "2016-02-30",
             "unmappable: \"2016-02-30\" is not a time like %Y-%m-%d"},
        Case{"| i64 | from_ms | seconds | decimal", "\\x80\\x00\\x00\\x00\\x00\\x00\\x00\\x00", "-9223372036854776"},
        Case{"| parse_time %Y%m%d%H | millis | decimal", "1970010201", "90000000"}));

INSTANTIATE_TEST_SUITE_P(
    PackedValues, FunctionCases,
    ::testing::Values(Case{"| json a", "{\"a\":17}", "17"}, Case{"| json a.b", "{\"a\":{\"b\":true}}", "true"},
                      Case{"| json a", "{\"a\":1.5}", "1.5"}, Case{"| json a", "{\"a\":null}", "absent"},
                      Case{"| json a.b", "{\"a\":1}", "absent"},
                      Case{"| json 1", "[1,18446744073709551615]", "18446744073709551615"},
                      Case{"| json a", "x", "unmappable: \"x\" is not JSON"},
                      Case{"| json a", "", "unmappable: \"\" is not JSON"},
                      Case{"| json a", "{\"a\":[]}", "unmappable: 'a' is an object or an array, and not one value"},
                      Case{"| json_list a", "{\"a\":1}", "unmappable: 'a' is not an array"},
                      Case{"| json_list a", "{\"a\":[[]]}", "unmappable: an item of 'a' is not one value"}));

INSTANTIATE_TEST_SUITE_P(
    JsonAsWritten, FunctionCases,
    ::testing::Values(
        Case{"| json a", "{\"a\":19.90}", "19.90"}, Case{"| json a", "{\"a\":-0}", "-0"},
        Case{"| json a", "{\"a\":9007199254740993.0}", "9007199254740993.0"},
        Case{"| json a", "{\"a\":1E+2,\"b\":123456789012345678901234567890}", "1E+2"},
        Case{"| json b", "{\"a\":1,\"b\":123456789012345678901234567890}", "123456789012345678901234567890"},
        Case{"| json_list a", "{\"a\":[1.0, -5e3 ,\"\\x5Cn\",true]}", "1.0, -5e3, \\x0A, true"},
        Case{"| json b", "{\"a\":\"\\x5Cud800\",\"b\":\"x\"}", "x"},
        Case{"| json a", "{\"a\":\"[\\x5Cud800\\x5Cu0041\\x5Cudc00]\"}", "[\\xEF\\xBF\\xBDA\\xEF\\xBF\\xBD]"},
        Case{"| json a", "{\"a\":\"\\x5Cud83d\\x5Cude00\"}", "\\xF0\\x9F\\x98\\x80"},
        Case{"| json a", "{\"a\":1,\"a\":2}", "1"}, Case{"| json a.b", "{\"a\":1,\"a\":{\"b\":2}}", "absent"},
        Case{"| json ab", "{\"\\x5Cu0061b\":1}", "1"},
        Case{"| json a", "{\"a\":\"\\x5C\"\\x5C/\\x5C\\x5Cb\"}", "\"/\\x5Cb"}));

INSTANTIATE_TEST_SUITE_P(
    JsonPaths, FunctionCases,
    ::testing::Values(
        Case{"| json \"[\\\"http.method\\\"]\"", "{\"http.method\":\"GET\",\"http\":{\"method\":1}}", "GET"},
        Case{"| json http.method", "{\"http.method\":\"GET\",\"http\":{\"method\":1}}", "1"},
        Case{"| json ['http.method']", "{\"http.method\":\"GET\"}", "GET"},
        Case{"| json \"a['x y'].b\"", "{\"a\":{\"x y\":{\"b\":2}}}", "2"}, Case{"| json $.a[1]", "{\"a\":[1,2]}", "2"},
        Case{"| json a[1]", "{\"a\":{\"1\":5}}", "absent"}, Case{"| json a.1", "{\"a\":{\"1\":5}}", "5"},
        Case{"| json a['1']", "{\"a\":[1,2]}", "absent"}, Case{"| json $", "17", "17"},
        Case{"| json \"['$']\"", "{\"$\":1}", "1"}, Case{"| json $oid", "{\"$oid\":\"x\"}", "x"},
        Case{"| json ['']", "{\"\":1}", "1"},
        Case{"| json_list items[*].name", "{\"items\":[{\"name\":\"a\"},{\"x\":1},{\"name\":null},{\"name\":\"b\"}]}",
             "a, b"},
        Case{"| json_list [*].a.0", "[{\"a\":[1,2]},{\"a\":[3]}]", "1, 3"},
        Case{"| json_list items[*]", "{\"items\":[1,2]}", "1, 2"},
        Case{"| json_list items[*].n", "{\"items\":{}}", "unmappable: 'items[*].n' is not an array"},
        Case{"| json_text $", " { \"b\" : [ 1.50 , true , null ] , \"a\" : \"\\x5Cu0041\\x5Cn\\x5C/\", \"b\":1 } ",
             "{\"a\":\"A\\x5Cn/\",\"b\":[1.50,true,null]}"},
        Case{"| json_text a", "{\"a\":null}", "absent"}, Case{"| json_text a", "{\"a\":\"x\"}", "\"x\""}));

INSTANTIATE_TEST_SUITE_P(
    NumbersWithAPoint, FunctionCases,
    ::testing::Values(
        Case{"| f64 | plain", "\\x7F\\xF8\\x00\\x00\\x00\\x00\\x00\\x00",
             "unmappable: \"\\x7F\\xF8\\x00\\x00\\x00\\x00\\x00\\x00\" is NaN (not a number), which has "
             "no order among numbers"},
        Case{"| f64 | plain", "abc", "unmappable: \"abc\" has 3 bytes, not 8"},
        Case{"| real | plain", "NaN", "unmappable: \"NaN\" is not a number"},
        Case{"| real | plain", "1e400", "Infinity"}, Case{"| real | plain", "1e10001", "Infinity"},
        Case{"| real | plain", "-0.01e+99999999999999999999", "-Infinity"}, Case{"| real | plain", "1000e-10001", "0"},
        Case{"| real | plain", "0.0001e403", "Infinity"}, Case{"| real | plain", "1000e-403", "0"},
        Case{"| real | plain", "-1e400", "-Infinity"}, Case{"| real | plain", "1e-400", "0"},
        Case{"| real | plain", "+.5", "0.5"}, Case{"| real | plain", "1.", "1"},
        Case{"| real | plain", "", "unmappable: \"\" is not a number"},
        Case{"| real | plain", " 1", "unmappable: \" 1\" is not a number"},
        Case{"| real | plain", "0x10", "unmappable: \"0x10\" is not a number"},
        Case{"| real | ordered 4", "0.1", "unmappable: 0.1 has no exact value in 32 bits: write 'ordered 8'"},
        Case{"| real | to_f32", "1e300", "unmappable: 1e+300 has no exact value in 32 bits"},
        Case{"| number | plain", "-0.00", "0"}, Case{"| number | plain", "1e3", "1000"},
        Case{"| number | plain", "1e99999",
             "unmappable: \"1e99999\" is not a number with at most 10000 digits before and after its decimal point"},
        Case{"| number | plain", "12345678901234567890123456789012345678901234567890.5",
             "12345678901234567890123456789012345678901234567890.5"},
        Case{"| number | plain", "--1",
             "unmappable: \"--1\" is not a number with at most 10000 digits before and after its decimal point"},
        Case{"| varint | decimal", "\\x80", "unmappable: \"\\x80\" is not one varint"},
        Case{"| vlong | decimal", "", "unmappable: \"\" is not one number of Hadoop's writeVLong"}));

INSTANTIATE_TEST_SUITE_P(
    IsoTimes, FunctionCases,
    ::testing::Values(Case{"| iso_time | millis | decimal", "2016-12-19", "1482105600000"},
                      Case{"| iso_time | millis | decimal", "2016-12-19 05:29", "1482125340000"},
                      Case{"| iso_time | millis | decimal", "2016-12-19T05:29:42,0749Z", "1482125382074"},
                      Case{"| iso_time | millis | decimal", "2016-12-19T05:29:42+0100", "1482121782000"},
                      Case{"| iso_time | millis | decimal", "2016-12-19T05:29:42+01", "1482121782000"},
                      Case{
                          "| iso_time | millis | decimal", "2016-12-19T05:29:42+19:00",
                          "unmappable: \"2016-12-19T05:29:42+19:00\" is not a time like 2016-12-19T13:29:42.074+08:00"},
                      Case{"| iso_time | millis | decimal", "2016-12-19T05:29:60Z",
                           "unmappable: \"2016-12-19T05:29:60Z\" is not a time like 2016-12-19T13:29:42.074+08:00"},
                      Case{"| iso_time | millis | decimal", "2016-12-19T24:00Z",
                           "unmappable: \"2016-12-19T24:00Z\" is not a time like 2016-12-19T13:29:42.074+08:00"},
                      Case{"| iso_time | millis | decimal", "2016-12-19T05:29:42.Z",
                           "unmappable: \"2016-12-19T05:29:42.Z\" is not a time like 2016-12-19T13:29:42.074+08:00"},
                      Case{"| iso_time Test/Half | time %Y%m%d%H%M", "2016-01-01T00:29", "201512312359"},
                      Case{"| iso_time Test/Half | time %Y%m%d%H%M", "2016-01-01T00:30",
                           "unmappable: \"2016-01-01T00:30\" is a time that no clock in Test/Half showed, because "
                           "clocks were set forward"},
                      Case{"| iso_time Test/Half | time %Y%m%d%H%M", "2016-01-01T00:30Z", "201601010030"},
                      Case{"| iso_time Test/Back | time %Y%m%d%H%M", "2016-01-01T01:00", "201512312300"}));

INSTANTIATE_TEST_SUITE_P(
    Identifiers, FunctionCases,
    ::testing::Values(
        Case{"| uuid | hex", "123e4567-e89b-12d3-a456-42661417400",
             "unmappable: \"123e4567-e89b-12d3-a456-42661417400\" is not a UUID"},
        Case{"| ulid | hex", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "unmappable: \"8ZZZZZZZZZZZZZZZZZZZZZZZZZ\" is not a ULID"},
        Case{"| ulid | hex", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "ffffffffffffffffffffffffffffffff"},
        Case{"| ip | hex", "2001:db8::1", "20010db8000000000000000000000001"},
        Case{"| ip | hex", "192.0.2.256", "unmappable: \"192.0.2.256\" is not an address of IPv4 or IPv6"},
        Case{"| ip6 | ip_text", "192.0.2.17", "::ffff:192.0.2.17"},
        Case{"| ip | ip_text", "2001:DB8:0:0::1", "2001:db8::1"}, Case{"| unbase64", "YQ", "a"},
        Case{"| unbase64", "YR==", "unmappable: \"YR==\" is not base64"},
        Case{"| mask 12 | hex", "\\xFF\\xFF\\xFF", "fff000"}, Case{"| url port", "https://example.com/a", "absent"},
        Case{"| url path", "/a/b?c", "/a/b"}, Case{"| url query", "https://example.com?x=1#y", "x=1"}));

// RFC 3986, 3: the parts; 3.2: an authority without a scheme; 5.2: a relative reference has neither.
INSTANTIATE_TEST_SUITE_P(
    UrlParts, FunctionCases,
    ::testing::Values(Case{"| url scheme", "HTTPS://example.com", "https"},
                      Case{"| url scheme", "mailto:A@B", "mailto"}, Case{"| url path", "mailto:A@B", "A@B"},
                      Case{"| url host", "mailto:A@B", "absent"}, Case{"| url scheme", "/a:b", "absent"},
                      Case{"| url scheme", "localhost:80/a", "localhost"},
                      Case{"| url host", "//Example.com/a", "example.com"}, Case{"| url path", "//example.com/a", "/a"},
                      Case{"| url host", "/a", "absent"}, Case{"| url host", "file:///A", "absent"},
                      Case{"| url path", "file:///A", "/A"}, Case{"| url port", "http://a:/", "absent"},
                      Case{"| url port", "http://a:0080/", "0080"}, Case{"| url host", "http://a:/", "a"},
                      Case{"| url host", "http://u:p%40@H?q", "h"}, Case{"| url query", "http://h?", "absent"},
                      Case{"| url query", "http://h?A=%2f?#", "A=%2f?"}, Case{"| url fragment", "#A?", "A?"},
                      Case{"| url fragment", "a#", "absent"}, Case{"| url path", "", "absent"}));

// RFC 3986, 6.2.2: what is equal by case and percent-encoding is one host.
INSTANTIATE_TEST_SUITE_P(UrlHosts, FunctionCases,
                         ::testing::Values(Case{"| url host", "http://EXAMPLE.com", "example.com"},
                                           Case{"| url host", "http://ex%61mple.c%4Fm", "example.com"},
                                           Case{"| url host", "http://b%c3%bCcher", "b%C3%BCcher"},
                                           Case{"| url host", "http://a%2f", "a%2F"},
                                           Case{"| url host", "http://[2001:DB8::1]:80/", "[2001:db8::1]"},
                                           Case{"| url port", "http://[::1]:80/", "80"},
                                           Case{"| url host", "http://[V1.A:b]", "[v1.a:b]"},
                                           Case{"| url host", "http://a_b!$&'()*+,;=~", "a_b!$&'()*+,;=~"}));

constexpr char kNoHost[] =
    " is not a host: put IPv6 in brackets, and write letters beyond ASCII in punycode or percent-encoded";

TEST(Url, IsUnmappableIfSchemeUserHostOrPortAreMalformed) {
  const auto refused = [](const std::string& url, const std::string& why) {
    for (const char* part : {"scheme", "host", "port", "path", "query", "fragment"}) {
      EXPECT_EQ(RunSteps(std::string("| url ") + part, *Unescape(url)),
                "unmappable: \"" + url + "\" is not a URL: " + why);
    }
  };
  constexpr char kNoScheme[] = " is not a scheme: a letter, then letters, digits, '+', '-' or '.'";
  refused("1:2", std::string("\"1\"") + kNoScheme);
  refused(":a", std::string("\"\"") + kNoScheme);
  refused("a b://c", std::string("\"a b\"") + kNoScheme);
  refused("http://a@b@c", std::string("\"b@c\"") + kNoHost);
  refused("http://a b", std::string("\"a b\"") + kNoHost);
  refused("http://%zz", std::string("\"%zz\"") + kNoHost);
  refused("http://%4", std::string("\"%4\"") + kNoHost);
  refused("http://\\xFF", std::string("\"\\xFF\"") + kNoHost);
  refused("http://[::1", std::string("\"[::1\"") + kNoHost);
  refused("http://[::1]a", std::string("\"[::1]a\"") + kNoHost);
  refused("http://[fe80::1%25en0]", std::string("\"[fe80::1%25en0]\"") + kNoHost);
  refused("http://[v.a]", std::string("\"[v.a]\"") + kNoHost);
  refused("http://[]", std::string("\"[]\"") + kNoHost);
  refused("http://a:b", "\"b\" is not a port: use digits only");
  refused("//::1/", "\":1\" is not a port: use digits only");
  refused("http://a b@c", "\"a b\" is not a user: percent-encode its special characters");
}

INSTANTIATE_TEST_SUITE_P(LettersOfAllLanguages, FunctionCases,
                         ::testing::Values(Case{"| fold", "\\xFF", "unmappable: \"\\xFF\" is not UTF-8"},
                                           Case{"| lower_unicode | hex", "\\xCE\\xA3\\xCE\\xA3", "cf83cf82"},
                                           Case{"| upper_unicode", "i", "I"},
                                           Case{"| nfc | hex", "\\xC3\\xA9", "c3a9"}));

INSTANTIATE_TEST_SUITE_P(
    NoJson, FunctionCases,
    ::testing::Values(Case{"| json a", "{\"a\":1} x", "unmappable: \"{\"a\":1} x\" is not JSON"},
                      Case{"| json a", "{\"a\":01}", "unmappable: \"{\"a\":01}\" is not JSON"},
                      Case{"| json a", "{\"a\":1.}", "unmappable: \"{\"a\":1.}\" is not JSON"},
                      Case{"| json a", "{\"a\":1,}", "unmappable: \"{\"a\":1,}\" is not JSON"},
                      Case{"| json a", "{\"a\":1,\"b\":[1 2]}", "unmappable: \"{\"a\":1,\"b\":[1 2]}\" is not JSON"},
                      Case{"| json a", "{\"a\":1,\"b\":nul}", "unmappable: \"{\"a\":1,\"b\":nul}\" is not JSON"},
                      Case{"| json a", "{\"a\":1,\"b\":\"\\x5Cx\"}",
                           "unmappable: \"{\"a\":1,\"b\":\"\\x5Cx\"}\" is not JSON"},
                      Case{"| json a", "{\"a\":\"\\xFF\"}", "unmappable: \"{\"a\":\"\\xFF\"}\" is not JSON"},
                      Case{"| json a", "{\"a\":\"\\x01\"}", "unmappable: \"{\"a\":\"\\x01\"}\" is not JSON"}));

TEST(JsonDepth, IsBounded) {
  const auto nested = [](size_t depth) { return std::string(depth, '[') + "1" + std::string(depth, ']'); };
  EXPECT_EQ(RunSteps("| json a", nested(1000)), "absent");
  EXPECT_THAT(RunSteps("| json a", nested(1001)), ::testing::HasSubstr("is not JSON"));
  EXPECT_THAT(RunSteps("| json a", std::string(1 << 20, '[')), ::testing::HasSubstr("is not JSON"));
}

INSTANTIATE_TEST_SUITE_P(Characters, FunctionCases,
                         ::testing::Values(Case{"| match /[关]/", "\\xE5\\x85\\xB2", "absent"},
                                           Case{"| match /[关注]+/", "a\\xE5\\x85\\xB3b", "\\xE5\\x85\\xB3"},
                                           Case{"| match /^关.$/", "\\xE5\\x85\\xB3\\xE6\\xB3\\xA8",
                                                "\\xE5\\x85\\xB3\\xE6\\xB3\\xA8"},
                                           Case{"| match /\\p{Han}/", "a\\xE5\\x85\\xB3", "\\xE5\\x85\\xB3"},
                                           Case{"| match /\\x{5173}/", "\\xE5\\x85\\xB3", "\\xE5\\x85\\xB3"},
                                           Case{"| match /[^,]+/", "\\xE5\\x85\\xB3,a", "\\xE5\\x85\\xB3"},
                                           Case{"| match /(?i)\\xe9/", "\\xE9", "\\xE9"}));

INSTANTIATE_TEST_SUITE_P(
    Messages, FunctionCases,
    ::testing::Values(Case{"| proto example.Visitor requests | decimal", "\\x08\\x05", "5"},
                      Case{"| proto example.Visitor type", "0\\x01", "HTTP"},
                      Case{"| proto example.Visitor type", "", "ALL"},
                      Case{"| proto example.Visitor type", "0\\x09", "9"},
                      Case{"| proto example.Visitor requests | decimal",
                           "\\x08\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\x01", "-1"},
                      Case{"| proto example.VisitorsInfo visitor.1.type", "\\x0A\\x00", "absent"},
                      Case{"| proto example.VisitorsInfo visitor.0", "\\x0A\\x02\\x08\\x05", "\\x08\\x05"},
                      Case{"| proto example.VisitorsInfo visitor", "\\x0A\\x02\\x08\\x05\\x0A\\x02\\x08\\x06",
                           "\\x08\\x05, \\x08\\x06"},
                      Case{"| proto example.Visitor type", "\\xFF", "unmappable: \"\\xFF\" is not a example.Visitor"}));

INSTANTIATE_TEST_SUITE_P(Zones, FunctionCases,
                         ::testing::Values(Case{"| int | from_ms | time %Y%m%d%H%M Test/Half", "0", "197001010030"},
                                           Case{"| int | from_ms | time %Y%m%d%H%M Test/Half", "1482125382074",
                                                "201612190629"}));

// Test/Half is set forward over 00:30 to 01:00 of the first day of 2016, Test/Back shows 01:00 to 02:00 twice.
INSTANTIATE_TEST_SUITE_P(
    ZonesRead, FunctionCases,
    ::testing::Values(Case{"| parse_time %Y-%m-%d +08:00 | millis | decimal", "1970-01-02", "57600000"},
                      Case{"| parse_time %H:%M -01:30 | millis | decimal", "00:00", "5400000"},
                      Case{"| parse_time %Y-%m-%d UTC | seconds | decimal", "1970-01-02", "86400"},
                      Case{"| parse_time %Y%m%d%H%M Test/Half | time %Y%m%d%H%M", "197001010030", "197001010000"},
                      Case{"| parse_time %Y%m%d%H%M Test/Half | time %Y%m%d%H%M", "201601010029", "201512312359"},
                      Case{"| parse_time %Y%m%d%H%M Test/Half | time %Y%m%d%H%M", "201601010030",
                           "unmappable: \"201601010030\" is a time that no clock in Test/Half showed, because clocks "
                           "were set forward"},
                      Case{"| parse_time %Y%m%d%H%M Test/Half | time %Y%m%d%H%M", "201601010059",
                           "unmappable: \"201601010059\" is a time that no clock in Test/Half showed, because clocks "
                           "were set forward"},
                      Case{"| parse_time %Y%m%d%H%M Test/Half | time %Y%m%d%H%M", "201601010100", "201601010000"},
                      Case{"| parse_time %Y%m%d%H%M Test/Back | time %Y%m%d%H%M", "201601010059", "201512312259"},
                      Case{"| parse_time %Y%m%d%H%M Test/Back | time %Y%m%d%H%M", "201601010100", "201512312300"},
                      Case{"| parse_time %Y%m%d%H%M Test/Back | time %Y%m%d%H%M", "201601010159", "201512312359"},
                      Case{"| parse_time %Y%m%d%H%M Test/Back | time %Y%m%d%H%M", "201601010200", "201601010100"},
                      Case{"| parse_time %Y%m%d +08:00 | time %Y%m%d", "00000101",
                           "unmappable: -62167248000000 ms are outside the years 0 to 9999"}));

// The check value of CRC-32 (of "123456789"), and vectors of MurmurHash3's x86_32 with seed 0 as published with it and
// in the tests of its ports.
INSTANTIATE_TEST_SUITE_P(
    PublishedVectors, FunctionCases,
    ::testing::Values(Case{"| crc32 | hex", "123456789", "cbf43926"}, Case{"| crc32 | hex", "", "00000000"},
                      Case{"| murmur3 | hex", "", "00000000"}, Case{"| murmur3 | hex", "test", "ba6bd213"},
                      Case{"| murmur3 | hex", "Hello, world!", "c0363e43"},
                      Case{"| murmur3 | hex", "The quick brown fox jumps over the lazy dog", "2e4ff723"},
                      Case{"| murmur3 | hex", "\\x00\\x00\\x00\\x00", "2362f9de"},
                      Case{"| murmur3 | hex", "\\xFF\\xFF\\xFF\\xFF", "76293b50"},
                      Case{"| murmur3 | hex", "!Ce\\x87", "f55b516b"}, Case{"| murmur3 | hex", "!Ce", "7e4a8634"},
                      Case{"| murmur3 | hex", "!C", "a0f7b07a"}, Case{"| murmur3 | hex", "!", "72661cf4"}));

// As org.apache.hadoop.hbase.util.Bytes.toBytes writes long, int and short.
INSTANTIATE_TEST_SUITE_P(
    HBaseBytes, FunctionCases,
    ::testing::Values(Case{"| int | to_be 8", "1", "\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01"},
                      Case{"| int | to_be 8", "-9223372036854775808", "\\x80\\x00\\x00\\x00\\x00\\x00\\x00\\x00"},
                      Case{"| int | to_be 8", "9223372036854775807", "\\x7F\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF"},
                      Case{"| i64 | decimal", "\\x80\\x00\\x00\\x00\\x00\\x00\\x00\\x00", "-9223372036854775808"},
                      Case{"| i32 | decimal", "\\x80\\x00\\x00\\x00", "-2147483648"},
                      Case{"| i32 | decimal", "\\x7F\\xFF\\xFF\\xFF", "2147483647"},
                      Case{"| i16 | decimal", "\\x80\\x00", "-32768"}));

}  // namespace
}  // namespace fensi::mapping
