internal import Gatebook

/// A fault as an admin request describes it.
struct AdminFault {
  private let request: LoopbackRequest
  private let work: FakeServerWork<PortalState>

  init(_ request: LoopbackRequest, _ work: FakeServerWork<PortalState>) {
    self.request = request
    self.work = work
  }

  /// The fault; `nil` when the fields describe none.
  var fault: LoopbackFault? {
    switch request.formValue("kind") {
    case "dropBefore": .dropBeforeActing
    case "dropAfter": .dropAfterActing
    case "stallBefore": .stallBeforeActing
    case "stallAfter": .stallAfterActing
    case "truncate": number("bytes").map { .truncate(after: $0) }
    case "delay": number("seconds").map { .delay(.seconds($0)) }
    case "status": number("status").map { .status($0, retryAfter: number("retryAfter")) }
    case "html": .page(number("status") ?? 200)
    case "redirect":
      request.formValue("location").map { .redirect(to: $0, status: number("status") ?? 302) }
    case "redirectLoop": .redirectLoop
    case "huge": .huge(number("bytes") ?? 200 << 20)
    case "cookieBomb": .cookieBomb()
    case "exception": FakeLiferayPortal.exception(request.formValue("message") ?? "outer", work)
    default: nil
    }
  }

  private func number(_ name: String) -> Int? {
    request.formValue(name).flatMap { Int($0) }
  }
}

/// The request log as the admin protocol tells it: a JSON array of objects.
enum AdminLog {
  /// The log.
  static func json(of requests: [FakePortalRequest]) -> PlainJSON {
    .array(requests.map(entry))
  }

  private static func entry(_ entry: FakePortalRequest) -> PlainJSON {
    let fields = entry.request.fields.all.map { PlainJSON.string("\($0.name): \($0.value)") }
    return [
      "number": .integer(entry.request.number), "method": .string(entry.request.method),
      "target": .string(entry.request.target), "fields": .array(fields),
      "body": .string(entry.request.text),
      "receivedMicroseconds": .integer(entry.request.received.wall.rawValue),
      "userId": entry.userID.map { .integer($0) } ?? .null,
      "via": .string(entry.scheme.rawValue), "status": entry.status.map { .integer($0) } ?? .null,
    ]
  }
}
