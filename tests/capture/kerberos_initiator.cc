#include "tests/capture/kerberos_initiator.h"

#include <gssapi/gssapi_krb5.h>
#include <gtest/gtest.h>

#include "base/bytes.h"

namespace fensi::capture {
namespace {

constexpr OM_uint32 kFlags =
    GSS_C_MUTUAL_FLAG | GSS_C_INTEG_FLAG | GSS_C_CONF_FLAG | GSS_C_SEQUENCE_FLAG | GSS_C_REPLAY_FLAG;

gss_buffer_desc Lend(const std::string& bytes) { return {bytes.size(), const_cast<char*>(bytes.data())}; }

std::string Take(gss_buffer_desc* buffer) {
  std::string bytes(static_cast<const char*>(buffer->value), buffer->length);
  OM_uint32 ignored = 0;
  gss_release_buffer(&ignored, buffer);
  return bytes;
}

std::string WordsOfMinor(OM_uint32 minor) {
  OM_uint32 ignored = 0, more = 0;
  gss_buffer_desc text = GSS_C_EMPTY_BUFFER;
  gss_display_status(&ignored, minor, GSS_C_MECH_CODE, gss_mech_krb5, &more, &text);
  return Take(&text);
}

}  // namespace

KerberosInitiator::KerberosInitiator(Wish wish) : wish_(std::move(wish)) {
  gss_buffer_desc name = Lend(wish_.server);
  OM_uint32 minor = 0;
  EXPECT_EQ(gss_import_name(&minor, &name, GSS_KRB5_NT_PRINCIPAL_NAME, &server_), GSS_S_COMPLETE);
}

KerberosInitiator::~KerberosInitiator() {
  OM_uint32 ignored = 0;
  gss_release_name(&ignored, &server_);
  gss_delete_sec_context(&ignored, &context_, GSS_C_NO_BUFFER);
}

std::string KerberosInitiator::Step(const std::string& challenge) {
  if (established_) {
    const std::string layers = Unwrap(challenge);
    EXPECT_EQ(layers.size(), 4u);
    offered_ = static_cast<unsigned char>(layers[0]);
    if ((offered_ & static_cast<int>(wish_.qop)) == 0) {
      error_ = "No common protection layer between client and server";  // as Java says
      return "";
    }
    return Wrap(static_cast<char>(wish_.qop) + std::string("\0\xff\xff", 3) + wish_.acts_for, false);
  }
  gss_buffer_desc in = Lend(challenge), out = GSS_C_EMPTY_BUFFER;
  OM_uint32 minor = 0;
  const OM_uint32 flags = wish_.qop == Qop::kAuthConf ? kFlags : kFlags & ~static_cast<OM_uint32>(GSS_C_CONF_FLAG);
  const OM_uint32 major = gss_init_sec_context(&minor, GSS_C_NO_CREDENTIAL, &context_, server_, gss_mech_krb5, flags, 0,
                                               GSS_C_NO_CHANNEL_BINDINGS, &in, nullptr, &out, nullptr, nullptr);
  if (GSS_ERROR(major)) error_ = WordsOfMinor(minor);
  established_ = major == GSS_S_COMPLETE;
  return Take(&out);
}

std::string KerberosInitiator::Wrap(const std::string& plain, bool sealed) {
  gss_buffer_desc in = Lend(plain), out = GSS_C_EMPTY_BUFFER;
  OM_uint32 minor = 0;
  EXPECT_EQ(gss_wrap(&minor, context_, sealed ? 1 : 0, GSS_C_QOP_DEFAULT, &in, nullptr, &out), GSS_S_COMPLETE);
  return Take(&out);
}

std::string KerberosInitiator::Unwrap(const std::string& wrapped) {
  gss_buffer_desc in = Lend(wrapped), out = GSS_C_EMPTY_BUFFER;
  OM_uint32 minor = 0;
  EXPECT_EQ(gss_unwrap(&minor, context_, &in, &out, nullptr, nullptr), GSS_S_COMPLETE) << WordsOfMinor(minor);
  return Take(&out);
}

bool KerberosRegionServer::Shake() {
  wire_.Send(KerberosPreambleBytes());
  std::string challenge;
  for (int round = 0; round < 3; ++round) {
    const std::string token = initiator_.Step(challenge);
    if (!initiator_.error().empty()) {
      error_ = initiator_.error();
      wire_.Close();
      return false;
    }
    wire_.Send(BigEndian(token.size(), 4) + token);
    if (round < 2 && !Read(&challenge)) return false;
  }
  return true;
}

bool KerberosRegionServer::Read(std::string* token) {
  std::string number;
  const auto text = [&](std::string* into) {
    return wire_.ReadExactly(4, &number) && wire_.ReadExactly(ReadBigEndian32(number), into);
  };
  if (!wire_.ReadExactly(4, &number)) {
    error_ = "closed";
    return false;
  }
  if (ReadBigEndian32(number) == 0) return text(token);
  std::string thrown, message;
  EXPECT_TRUE(text(&thrown) && text(&message));
  error_ = thrown + ": " + message;
  return false;
}

bool KerberosRegionServer::Send(const std::string& bytes) {
  if (wish_.qop == Qop::kAuth) return wire_.Send(bytes);
  const std::string wrapped = initiator_.Wrap(bytes);
  return wire_.Send(BigEndian(wrapped.size(), 4) + wrapped);
}

FakeRegionServer::Reply KerberosRegionServer::Receive() {
  if (wish_.qop == Qop::kAuth) return wire_.Receive();
  std::string bytes;
  if (!wire_.ReadExactly(4, &bytes) || !wire_.ReadExactly(ReadBigEndian32(bytes), &bytes)) return {.closed = true};
  return FakeRegionServer::ReplyIn(initiator_.Unwrap(bytes).substr(4));
}

}  // namespace fensi::capture
