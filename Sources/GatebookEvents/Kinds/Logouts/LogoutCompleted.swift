/// `logout.completed`: what the server was told of the end is settled, or will be tried again.
package struct LogoutCompleted: EventFacts {
  package static let kind = EventKind.logoutCompleted

  /// The security check, of one that named no user.
  package var check: String?
  /// The flow of that check.
  package var flow: FlowID?
  /// The name under which messages to the server are kept encrypted.
  package var outbox: String?
  /// `done`, `queued`, `none`, `givenUp`, `unread`, or `failed` of a security check.
  package var server: String
  /// How long it waits.
  package var wait = Wait()
  /// What went wrong.
  package var failure = Failure()

  package init(server: String) {
    self.server = server
  }

  package static var blank: Self { Self(server: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("check", &check)
    facts.code("code", &failure.code)
    facts.code("demandedWait", &wait.demanded)
    facts.code("flow", &flow)
    facts.code("outbox", &outbox)
    facts.code("retryAfter", &wait.retryAfter)
    facts.code("server", &server)
    facts.code("status", &failure.status)
    guard facts.hasDetails else { return }
    facts.code("error", &failure.error)
    facts.code("fault", &failure.fault)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    if let check { return sentence(event, of: check) }
    return switch server {
    case "done" where isRefused:
      "The server was told, and answered\(failure.said): it had nothing to end, or did not end it."
    case "done": "The server was told, and accepted the logout."
    case "queued": queued(event)
    case "givenUp":
      "Gatebook gave up telling the server, because it rejects the message\(failure.said). The tokens that "
        + "it granted may still be valid there."
    case "failed": "The server did not accept the logout (\(words))."
    case "unread":
      "The server was not told, because the session's secrets could not be read. Its tokens may still be "
        + "valid there."
    default: "The server was not told, because it has no logout endpoint, or nothing to end."
    }
  }

  private var words: String { failure.words(of: Self.kind) }

  private var isRefused: Bool { failure.status ?? 0 >= 400 }

  private func queued(_ event: RecordedEvent) -> Sentence {
    if failure.fault?.isOfAnswer == true {
      return "It is not known whether the server was told (\(words)). Gatebook will tell it again."
    }
    if let demanded = wait.demanded {
      return
        "The server could not be told (\(words)). It asked not to be contacted before "
        + "\(event.at + demanded). Gatebook will tell it later."
    }
    return failure.code == nil && failure.status == nil
      ? "The server was not told, because an earlier message was still being sent. Gatebook will tell it "
        + "later."
      : "The server could not be told (\(words)). Gatebook will tell it later."
  }

  /// What became of the logout of one security check.
  private func sentence(_ event: RecordedEvent, of check: String) -> Sentence {
    switch server {
    case "done" where isRefused:
      "\(event.author) told the server to forget its check “\(check)”, and it answered\(failure.said)."
    case "done": "\(event.author) told the server to forget its check “\(check)”, and it did."
    case "none":
      "\(event.author) had nothing to tell the server about its check “\(check)”, because there was nothing "
        + "to end."
    default:
      "\(event.author) told the server to forget its check “\(check)”, but it did not (\(words))."
    }
  }
}
