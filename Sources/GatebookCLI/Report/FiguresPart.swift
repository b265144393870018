internal import Gatebook

/// The head figures.
struct FiguresPart {
  let content: ReportContent

  var html: HTML {
    let report = content.report
    let failed = report.count(of: .loginFailed)
    let ended = report.count(of: .sessionEnded, .sessionExpired)
    return HTML.lines([
      figure("events", report.events, range),
      figure(content.time == .whole ? "accounts" : "accounts seen", report.accounts, accounts),
      figure(
        "logins", report.count(of: .loginSucceeded),
        "\(Figure.text(failed)) failed, \(text(.loginCancelled)) cancelled", mark: "login"),
      figure(
        "refreshes", report.count(of: .refreshSucceeded, .refreshAdopted),
        "\(text(.refreshFailed)) failed, \(text(.refreshDeferred)) deferred", mark: "refresh"),
      figure(
        "challenges", report.count(of: .challengeReceived),
        "\(text(.challengeAnswered)) answered, \(text(.challengeFailed)) failed",
        mark: "challenge"),
      figure(
        "sessions ended", ended, "\(text(.logoutRequested)) more logged out", mark: "failure"),
      figure(
        "resumed offline", report.count(of: .sessionRestored),
        "\(text(.sessionVerified)) verified by the server"),
      figure("findings", Int64(content.report.findings.count), findings),
    ])
  }

  private func figure(
    _ name: String, _ number: Int64, _ more: String, mark: String = "plain"
  ) -> HTML {
    """
    <div class="\(mark)"><dt>\(name)</dt><dd>\(Figure.text(number))</dd><dd>\(more)</dd></div>
    """
  }

  private func text(_ kind: EventKind) -> String { Figure.text(content.report.count(of: kind)) }

  private var range: String {
    let archived = content.archived.rawValue
    let lost =
      content.lost > 0
      ? "; \(Figure.text(content.lost, "event was", "events were")) lost before it was recovered"
      : ""
    let past =
      (archived > 0
        ? "; events 1 to \(Figure.text(archived)) are in an archive and not counted" : "") + lost
    let end = Figure.text(content.end.rawValue)
    if let time = content.timeText {
      return "\(content.account == nil ? "" : "of one account, ")\(time)\(past)"
    }
    let first = Figure.text(archived + 1)
    return content.account == nil
      ? (first == end ? "position \(end)" : "positions \(first) to \(end)") + past
      : "of one account, up to position \(end)\(past)"
  }

  private var accounts: String {
    let lanes = content.report.lanes.filter { $0.account != nil }
    // Of a part of the time nobody looks for what quiet accounts without a lane were like.
    guard Int64(lanes.count) == content.report.accounts,
      content.time == .whole || lanes.count < BookReport.mostLanes
    else {
      return "\(Figure.text(lanes.count)) with a timeline"
    }
    let usable = Figure.text(lanes.count { $0.state?.isUsable == true })
    return content.time.end(before: content.made) == nil
      ? "\(usable) can be used" : "\(usable) could be used at the end"
  }

  private var findings: String {
    let alarms = content.report.findings.count { $0.severity == .alarm }
    let warnings = content.report.findings.count { $0.severity == .warning }
    return "\(Figure.text(alarms, "alarm", "alarms")), "
      + Figure.text(warnings, "warning", "warnings")
  }
}

/// Numbers as people read them.
enum Figure {
  /// A whole number with its thousands parted: `1,234,567`.
  static func text(_ number: some BinaryInteger) -> String {
    var digits = String(number.magnitude)
    var place = digits.endIndex
    while let next = digits.index(place, offsetBy: -3, limitedBy: digits.startIndex),
      next > digits.startIndex
    {
      digits.insert(",", at: next)
      place = next
    }
    return (number < 0 ? "-" : "") + digits
  }

  /// A number with its noun: `1 event`, `2 events`.
  static func text(_ number: some BinaryInteger, _ one: String, _ several: String) -> String {
    "\(text(number)) \(number == 1 ? one : several)"
  }

  /// A part of a whole as a length of CSS: `12.345%`.
  static func percent(_ part: Double) -> String {
    "\((part * 100_000).rounded() / 1_000)%"
  }
}

extension ReportMark {
  private var noun: (one: String, several: String) {
    switch self {
    case .login: ("login", "logins")
    case .refresh: ("refresh", "refreshes")
    case .challenge: ("challenge", "challenges")
    case .failure: ("failure", "failures")
    }
  }

  /// Such as `Logins`.
  var heading: String { noun.several.prefix(1).uppercased() + noun.several.dropFirst() }

  /// A number of them: `1 login`, `2 logins`.
  func text(_ number: Int) -> String { Figure.text(number, noun.one, noun.several) }
}

extension ReportCounts {
  /// The numbers of some marks in words: `1 login, 2 refreshes`.
  func text(_ marks: [ReportMark]) -> String {
    marks.map { $0.text(self[$0]) }.joined(separator: ", ")
  }
}
