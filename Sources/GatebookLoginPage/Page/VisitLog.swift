internal import Gatebook
internal import GatebookSystem

/// Tells the app and the book of visits that the page refused.
///
/// Any program on the machine can visit, so Gatebook names only some one by one, and counts the
/// rest.
actor VisitLog {
  /// How many of each kind it names one by one.
  static let limit = 16

  private let tell: @Sendable (LoginPageNews) async -> Void
  private var book: SessionBook?
  /// Those that came before there was a book.
  private var early: [RefusedVisit] = []
  private var told: [VisitRefused.Reason: Int] = [:]
  private var dropped: [VisitRefused.Reason: Int64] = [:]

  init(_ tell: @escaping @Sendable (LoginPageNews) async -> Void) {
    self.tell = tell
  }

  /// Tells the app something.
  func hear(_ news: LoginPageNews) async { await tell(news) }

  /// Records visits in a book from now on, and those that came before.
  func record(in book: SessionBook) async {
    self.book = book
    let waiting = early
    early = []
    for visit in waiting { await write(visit.reason, 1, in: book) }
  }

  /// Takes a visit.
  func add(_ visit: RefusedVisit) async {
    // Of each kind: noise must not hide that somebody else has opened the page.
    guard told[visit.reason, default: 0] < Self.limit else {
      dropped[visit.reason, default: 0] += 1
      return
    }
    told[visit.reason, default: 0] += 1
    if let book { await write(visit.reason, 1, in: book) } else { early.append(visit) }
    await tell(.refused(Self.sentence(visit)))
  }

  /// Records how many more there were.
  func finish() async {
    guard let book else { return }
    let left = dropped
    dropped = [:]
    for (reason, count) in left.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      await write(reason, count, in: book)
    }
  }

  private func write(
    _ reason: VisitRefused.Reason, _ count: Int64, in book: SessionBook
  ) async {
    // The login is worth more than the record of a stranger.
    _ = try? await book.recordRefusedVisit(reason, count: count)
  }

  private static func sentence(_ visit: RefusedVisit) -> String {
    let who = visit.program.map { "The program \(ShownText.of($0))" } ?? "A program"
    switch visit.reason {
    case .spent:
      return
        "\(who) opened the login page's address after it had been used. It saw nothing. If your browser "
        + "shows that the page is not available, somebody else opened it first: cancel this login."
    case .cookie:
      return "\(who) opened the login page's path without its cookie. It saw nothing."
    case .path:
      return "\(who) looked for something at the login page's port. It saw nothing."
    case .host:
      return
        "\(who) reached the login page's port by another host name, as attacks on a browser do. It saw "
        + "nothing."
    case .origin:
      return "\(who) sent a form of another site to the login page. It was ignored."
    case .user:
      return "A program of another user of this machine visited the login page. It saw nothing."
    case .malformed: return "\(who) sent the login page something that is not HTTP. It was ignored."
    }
  }
}
