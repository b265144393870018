/// A fault as an admin request describes it.
struct AdminFault {
  private let request: LoopbackRequest
  private let work: PortalWork

  init(_ request: LoopbackRequest, _ work: PortalWork) {
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
    case "exception": work.exception(request.formValue("message") ?? "outer")
    default: nil
    }
  }

  private func number(_ name: String) -> Int? {
    request.formValue(name).flatMap { Int($0) }
  }
}
