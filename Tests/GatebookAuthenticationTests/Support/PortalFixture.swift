internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

/// The recorded answers of portals.
enum PortalFixture {
  /// A fixture as text.
  static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// The user record of a portal of 6.2.
  static var userV62: String { text(PackageResources.user_v62_json) }

  /// The user record of a portal of 7.
  static var userV7: String { text(PackageResources.user_v7_json) }

  /// One of the exceptions of the web services, as JSON.
  static func exception(_ name: String) throws -> String {
    let all = try #require(JSONDocument.read(PackageResources.jsonws_exceptions_json)?.object)
    return try #require(all[name]?.object).encodedText
  }
}

extension Facts {
  /// The facts as JSON.
  var encodedText: String { String(decoding: encoded, as: UTF8.self) }
}
