#include "operations/access/kerberos.h"

#include <krb5.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "operations/access/secret_file.h"

namespace fensi::operations {
namespace {

// Tickets are this process' own, and gone with it.
constexpr char kTickets[] = "MEMORY:fensi";
constexpr char kListKeys[] = ". 'klist -k FILE' lists the principals of a keytab: name the keytab with the right key";

/// The library's objects, as far as they were made.
class Library {
 public:
  Library() : failed_(krb5_init_context(&context_)) {}
  ~Library() {
    if (keytab_ != nullptr) krb5_kt_close(context_, keytab_);
    if (principal_ != nullptr) krb5_free_principal(context_, principal_);
    if (context_ != nullptr) krb5_free_context(context_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// The principal's tickets are asked for by its key in the keytab.
  Status Choose(const std::string& keytab, const std::string& principal);

 private:
  Status FaultOf(krb5_error_code error, StatusCode code, const std::string& what, const std::string& remedy = "") const;

  krb5_context context_ = nullptr;
  const krb5_error_code failed_;
  krb5_keytab keytab_ = nullptr;
  krb5_principal principal_ = nullptr;
};

Status Library::FaultOf(krb5_error_code error, StatusCode code, const std::string& what,
                        const std::string& remedy) const {
  const char* words = krb5_get_error_message(context_, error);
  Status fault(code, what + ": " + words + remedy);
  krb5_free_error_message(context_, words);
  return fault;
}

Status Library::Choose(const std::string& keytab, const std::string& principal) {
  if (failed_ != 0) return FaultOf(failed_, StatusCode::kConfiguration, "Kerberos (krb5.conf)");
  krb5_error_code error = krb5_kt_resolve(context_, keytab.c_str(), &keytab_);
  if (error != 0) return FaultOf(error, StatusCode::kConfiguration, "--kerberos_keytab");
  error = krb5_kt_have_content(context_, keytab_);
  if (error != 0) return FaultOf(error, StatusCode::kConfiguration, "--kerberos_keytab has no key", kListKeys);
  if (principal.empty()) return Status();
  error = krb5_parse_name(context_, principal.c_str(), &principal_);
  if (error != 0) {
    return FaultOf(error, StatusCode::kInvalidArgument, "--kerberos_principal=" + principal,
                   ". Write a principal such as fensi/host.example.org@EXAMPLE.ORG");
  }
  krb5_keytab_entry entry;
  error = krb5_kt_get_entry(context_, keytab_, principal_, 0, 0, &entry);
  if (error != 0) return FaultOf(error, StatusCode::kPermission, "--kerberos_principal=" + principal, kListKeys);
  krb5_free_keytab_entry_contents(context_, &entry);
  krb5_ccache tickets = nullptr;
  error = krb5_cc_resolve(context_, kTickets, &tickets);
  if (error == 0) error = krb5_cc_initialize(context_, tickets, principal_);
  if (tickets != nullptr) krb5_cc_close(context_, tickets);
  return error == 0 ? Status() : FaultOf(error, StatusCode::kInternal, "tickets in memory");
}

}  // namespace

Status PrepareKerberos(const std::string& keytab_file, const std::string& principal) {
  if (keytab_file.empty()) {
    return principal.empty()
               ? Status()
               : InvalidArgument(
                     "--kerberos_principal needs --kerberos_keytab: give it, or leave --kerberos_principal out");
  }
  const Status readable = ReadSecretFile(keytab_file).status();
  if (!readable.ok()) return readable.WithContext("--kerberos_keytab");
  const std::string keytab = "FILE:" + std::filesystem::absolute(keytab_file).string();
  setenv("KRB5_CLIENT_KTNAME", keytab.c_str(), 1);
  setenv("KRB5CCNAME", kTickets, 1);
  return Library().Choose(keytab, principal);
}

}  // namespace fensi::operations
