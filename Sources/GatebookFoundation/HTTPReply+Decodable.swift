public import FoundationEssentials
public import Gatebook

extension HTTPReply {
  /// Decodes the JSON of an answer, whatever its status.
  ///
  /// The body must be JSON by RFC 8259. An object with the same member twice, with more than 65,536
  /// members, or nested deeper than 32 levels is refused, because readers differ in what they make
  /// of it.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - decoder: How it is read, such as the form of dates.
  /// - Returns: The decoded value.
  /// - Throws: `content.unexpected`, which names the place and no value.
  public func decoded<Value: Decodable>(
    as type: Value.Type, decoder: JSONDecoder = JSONDecoder()
  ) throws(GatebookError) -> Value {
    guard JSONDocument.read(body, maximumSize: body.count) != nil else { throw .notJSON(self) }
    do {
      return try decoder.decode(type, from: data)
    } catch {
      throw .undecodable(error, self)
    }
  }
}

extension GatebookError {
  /// An answer that is no JSON, or beyond what is read.
  fileprivate static func notJSON(_ reply: HTTPReply) -> GatebookError {
    GatebookError(
      .contentUnexpected,
      "The answer is not valid JSON, has a duplicate member, or has an object with too many members.",
      kept: "The session is kept.", remedy: "Check the URL.", status: reply.status)
  }

  /// JSON of another shape than the app's type; says where, never the value.
  fileprivate static func undecodable(_ error: any Error, _ reply: HTTPReply) -> GatebookError {
    var place = ""
    var cause = "rejected by the type's own check"
    if let error = error as? DecodingError {
      switch error {
      case .typeMismatch(let type, let context):
        (place, cause) = (path(context.codingPath), "\(type) expected")
      case .valueNotFound(let type, let context):
        (place, cause) = (path(context.codingPath), "\(type) expected, but there is no value")
      case .keyNotFound(let key, let context):
        (place, cause) = (path(context.codingPath + [key]), "it is missing")
      case .dataCorrupted(let context):
        // The decoder does not say where a number is that does not fit its type.
        place = path(context.codingPath)
        cause =
          place.isEmpty ? "a number or a text does not fit its type" : "it does not fit the type"
      @unknown default: break
      }
    }
    return GatebookError(
      .contentUnexpected,
      "The JSON answer does not match the app's type\(place.isEmpty ? "" : ": \(place)").",
      kept: "The session is kept.", remedy: "Compare the app's type with the server's answer.",
      cause: cause, status: reply.status)
  }

  /// The keys with dots between them; what may be a server's own words is left out.
  static func path(_ keys: [any CodingKey]) -> String {
    keys.map { key in
      key.intValue.map(String.init) ?? (isPlainName(key.stringValue) ? key.stringValue : "(…)")
    }.joined(separator: ".")
  }
}
