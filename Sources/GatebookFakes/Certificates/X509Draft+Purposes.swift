internal import COpenSSLTLS
internal import Gatebook

extension X509Draft {
  /// Says that this is an authority (RFC 5280 sections 4.2.1.2, 4.2.1.3 and 4.2.1.9).
  func describeAuthority() {
    let isDescribed =
      add(NID_basic_constraints, "critical,CA:TRUE")
      && add(NID_key_usage, "critical,keyCertSign,cRLSign")
      && add(NID_subject_key_identifier, "hash")
    precondition(isDescribed, "libcrypto refused the extensions of an authority.")
  }

  /// Says which server this is.
  func describeServer(
    _ names: [TestCertificate.Name], issuer: OpaquePointer?
  ) throws(GatebookError) {
    describeEnd("serverAuth", issuer: issuer)
    // A comma would begin another name.
    let isPlain = names.allSatisfy { !$0.text.utf8.contains(UInt8(ascii: ",")) }
    let text = names.map(\.text).joined(separator: ",")
    guard isPlain, !names.isEmpty, add(NID_subject_alt_name, text) else {
      throw GatebookError(
        .configurationInvalid, "A certificate cannot carry these names: \(text).",
        remedy: "Give host names as .host and IP addresses as .address.")
    }
  }

  /// Says that this is a client.
  func describeClient(issuer: OpaquePointer?) {
    describeEnd("clientAuth", issuer: issuer)
  }

  private func describeEnd(_ purpose: String, issuer: OpaquePointer?) {
    var isDescribed =
      add(NID_basic_constraints, "critical,CA:FALSE")
      && add(NID_ext_key_usage, purpose)
      && add(NID_subject_key_identifier, "hash")
    if let issuer {
      isDescribed =
        isDescribed && add(NID_authority_key_identifier, "keyid:always", issuer: issuer)
    }
    precondition(isDescribed, "libcrypto refused the extensions of a certificate.")
  }
}
