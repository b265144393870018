internal import Gatebook

/// The request log as the admin protocol tells it: a JSON array of objects.
struct AdminLog {
  let requests: [FakePortalRequest]

  /// The JSON text.
  var text: String {
    PlainJSON.array(requests.map(entry)).text
  }

  private func entry(_ entry: FakePortalRequest) -> PlainJSON {
    let fields = entry.request.fields.all.map { PlainJSON.string("\($0.name): \($0.value)") }
    return .named([
      "number": .integer(entry.request.number), "method": .string(entry.request.method),
      "target": .string(entry.request.target), "fields": .array(fields),
      "body": .string(entry.request.text),
      "receivedMicroseconds": .integer(entry.request.received.wall.rawValue),
      "userId": entry.userID.map { .integer($0) } ?? .null,
      "via": .string(entry.scheme.rawValue), "status": entry.status.map { .integer($0) } ?? .null,
    ])
  }
}
