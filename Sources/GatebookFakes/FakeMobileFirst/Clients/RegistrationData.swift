/// What a client registers: its key and what it says about its application and device.
struct RegistrationData {
  let key: RegisteredKey
  let payload: PlainJSON

  /// Why data is not accepted.
  enum Flaw: Error {
    /// The text, the key or the signature is wrong.
    case invalid
    /// Another version of the protocol is spoken.
    case otherVersion
  }

  /// Reads the body of a registration and verifies it with the key that it carries.
  ///
  /// That application, platform and device must be named is inferred.
  init(_ body: [UInt8]) throws(Flaw) {
    guard let parts = PlainJSON.read(body)?["signedRegistrationData"],
      let header = parts["header"]?.string, let payload = parts["payload"]?.string,
      let signature = parts["signature"]?.string,
      let signed = SignedParts(header: header, payload: payload, signature: signature),
      let key = signed.header["jwk"].flatMap({ RegisteredKey(rsa: $0) }),
      signed.isSigned(by: key)
    else { throw .invalid }
    guard let application = signed.payload["application"],
      application["id"]?.string?.isEmpty == false,
      application["clientPlatform"]?.string?.isEmpty == false,
      signed.payload["device"]?["id"]?.string?.isEmpty == false
    else { throw .invalid }
    let version = signed.payload["attributes"]?["sdk_protocol_version"]
    guard version == nil || version == .integer(1) else { throw .otherVersion }
    self.key = key
    self.payload = signed.payload
  }
}
