internal import GatebookAuthentication
internal import GatebookEvents

/// A server's answer that has a document which it publishes, as the book keeps it.
struct KeptAnswer: Sendable {
  /// When it was asked for.
  let asked: Timestamp
  /// The answer, with those of its fields that say how good it is.
  private let reply: HTTPReply

  /// Takes an answer; `nil` for one that has no document, such as a page of maintenance, or one of
  /// an odd size.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - asked: When it was asked for.
  ///   - now: When it came.
  init?(_ reply: HTTPReply, asked: Timestamp, at now: Timestamp) {
    guard reply.status == 200, !Self.isTooLarge(reply),
      JSONDocument.read(reply.body)?.object != nil
    else { return nil }
    var fields = reply.fields.filter { field in
      Self.telling.contains { $0 == field.name.lowercased() }
    }
    // What was long on its way does not tell the server's time to who only knows when it was asked
    // for.
    if now < asked || now - asked > .seconds(2) {
      fields.removeAll { $0.name.lowercased() == "date" }
    }
    self.reply = HTTPReply(status: 200, fields: fields, body: reply.body)
    self.asked = asked
  }

  /// Whether an answer is one that each has to fetch for itself.
  static func isTooLarge(_ reply: HTTPReply) -> Bool {
    reply.status == 200 && reply.body.count > 64 << 10
  }

  private static let telling = ["age", "cache-control", "date", "expires"]

  /// The answer, as who asks now gets it.
  var recalled: HTTPReply {
    var reply = reply
    reply.recalled = asked
    return reply
  }

  /// Until when it may be given without asking: by its server's own word, else not at all.
  var fresh: Timestamp { asked + (reply.freshness(at: asked) ?? .zero) }

  /// Whether another answer says the same.
  func isSame(_ other: KeptAnswer) -> Bool { reply.body == other.reply.body }
}

extension KeptAnswer {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Facts) {
    guard let asked = record["asked"]?.integer, let body = record["body"]?.text,
      let fields = record["fields"]?.object
    else { return nil }
    self.asked = Timestamp(rawValue: asked)
    reply = HTTPReply(
      status: 200,
      fields: fields.names.flatMap { name in
        (fields[name]?.list ?? []).compactMap { $0.text.map { HTTPField(name, $0) } }
      }, body: Array(body.utf8))
  }

  /// The answer for the book; `nil` for one that is no text.
  var record: Facts? {
    guard let body = String(validating: reply.body, as: UTF8.self) else { return nil }
    var fields = Facts()
    for name in Self.telling {
      let values = reply.fields.values(of: name)
      if !values.isEmpty { fields[name] = .list(values.map { .text($0) }) }
    }
    return ["asked": .integer(asked.rawValue), "body": .text(body), "fields": .object(fields)]
  }
}
