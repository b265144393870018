internal import Gatebook
internal import GatebookSystem

/// Shows one screen after the other, and waits for what the person does with the current one.
///
/// Only one form counts: that of the current screen, and only the first time it is sent.
actor PageStage {
  /// What the person did with a screen.
  enum Action: Sendable {
    /// A button other than that of an account, with the form's fields.
    case button(String, FormFields)
    /// An account was chosen.
    case account(String)
    /// Nobody did anything in time.
    case expired
    /// The task that waits was cancelled.
    case cancelled
  }

  private let theme: LoginTheme
  private let clock: any BookClock
  /// The short code that app and page show.
  private let code: String
  /// When the page ends.
  private let end: Moment
  private let limit: Duration
  private var rules: VisitRules
  /// Hears of the first visit.
  private let opened: @Sendable (String?) async -> Void
  /// Hears of visits that are refused.
  private let refused: @Sendable (RefusedVisit) async -> Void

  private var screen = Screen.working(server: "")
  private var number = 0
  private var isClosed = false
  /// Whether a form was sent that no longer counts: told once.
  private var wasSent = false
  private var waiting: CheckedContinuation<Action, Never>?
  /// Cancels the login that is under way.
  private var cancelWork: (@Sendable () -> Void)?
  /// Those who wait for another screen than the one that they have.
  private var watchers: [Int: CheckedContinuation<Void, Never>] = [:]
  private var lastWatcher = 0
  /// Whether a browser has got the last screen.
  private var hasShownLast = false
  /// Whether a browser will ask for the next screen without the person's doing.
  private var isAwaited = false
  private var wasOpened = false

  init(
    _ theme: LoginTheme, _ rules: VisitRules, code: String, limit: Duration,
    clock: any BookClock, opened: @escaping @Sendable (String?) async -> Void = { _ in },
    refused: @escaping @Sendable (RefusedVisit) async -> Void
  ) {
    self.theme = theme
    self.rules = rules
    self.code = code
    self.limit = limit
    self.clock = clock
    self.opened = opened
    self.refused = refused
    end = clock.now()
  }

  /// How much of the page's time is left.
  private var timeLeft: Duration { end.boot + limit - clock.now().boot }

  // MARK: For the login

  /// Shows a screen and waits for what the person does with it.
  ///
  /// - Returns: The action; `expired` when the page's time is over.
  func ask(_ screen: Screen) async -> Action {
    show(screen)
    let left = timeLeft
    guard !isClosed else { return .cancelled }
    guard left > .zero else { return .expired }
    let shown = number
    let watch = Task { [clock] in
      await clock.sleep(for: left)
      if !Task.isCancelled { act(.expired, on: shown) }
    }
    defer { watch.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiting in
        self.waiting = waiting
        if Task.isCancelled { act(.cancelled, on: shown) }
      }
    } onCancel: {
      Task { await self.act(.cancelled, on: shown) }
    }
  }

  /// Shows a screen that nobody answers.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - cancel: Cancels the work that is done meanwhile.
  func show(_ screen: Screen, cancel: (@Sendable () -> Void)? = nil) {
    guard !isClosed else { return }
    // The former screen takes no answer now.
    waiting?.resume(returning: .cancelled)
    waiting = nil
    self.screen = screen
    number += 1
    cancelWork = cancel
    wakeWatchers()
  }

  /// Shows how the page ends, unless it shows that already; nothing is shown after it.
  func close(_ end: ScreenEnd) {
    if !screen.isLast { show(.ended(end)) }
    isClosed = true
  }

  /// Whether its time is over.
  var isOver: Bool { timeLeft <= .zero }

  /// What is shown, and what cancels its work.
  var current: (screen: Screen, cancel: (@Sendable () -> Void)?) { (screen, cancelWork) }

  /// Waits until a browser has got the last screen, or this long; not at all where none came.
  func lastShown(within limit: Duration) async {
    guard isAwaited, !hasShownLast else { return }
    await nextChange(within: limit)
  }

  private func act(_ action: Action, on shown: Int) {
    guard shown == number, let waiting else { return }
    // A page that is still open asks once more when its time is over.
    if case .expired = action { isAwaited = wasOpened }
    self.waiting = nil
    waiting.resume(returning: action)
  }

  // MARK: For the browser

  /// Answers a request.
  func answer(_ request: PageRequest) async -> PageReply {
    let words = PageWords.preferred(by: request.only("Accept-Language"))
    switch rules.judge(request) {
    case .ignored: return .missing
    case .refused(let reason):
      await refused(RefusedVisit(reason: reason, program: request.visitor.program))
      return Stranger.reply(to: reason, words)
    case .admitted(let isFirst):
      (isAwaited, wasOpened) = (true, true)
      if isFirst { await opened(request.visitor.program) }
      // A machine that slept may be late with its own clock.
      if isOver { act(.expired, on: number) }
      if request.method == "POST" { return submit(request) }
      guard !Self.isOfScript(request) else {
        if isBusy { await nextChange(within: Self.longestWait) }
        return .nothing
      }
      return await shown(words, isFirst ? [rules.cookieField] : [])
    }
  }

  /// Whether the page's script asks, which goes to the next screen itself (RFC 7240 section 4.2).
  private static func isOfScript(_ request: PageRequest) -> Bool {
    request.only("Prefer") == "return=minimal"
  }

  /// How long the script waits for the next screen.
  private static let longestWait = Duration.seconds(20)
  /// How long a browser waits for a quick server, before it gets the screen of a slow one.
  private static let shortestWait = Duration.milliseconds(700)

  private func shown(
    _ words: PageWords, _ cookie: [HTTPField]
  ) async -> PageReply {
    if isBusy { await nextChange(within: Self.shortestWait) }
    var fields = cookie + [HTTPField("Content-Security-Policy", theme.policy)]
    if !screen.isLast, !isBusy {
      // Left open, the page itself says that its time is over.
      let seconds = max(1, timeLeft.components.seconds + 1)
      fields.append(HTTPField("Refresh", "\(seconds);url=\(rules.path)"))
    }
    let rendering = ScreenRendering(
      words: words, code: code, number: number, end: screen.isLast ? nil : endTime,
      wasSent: wasSent, isBusy: isBusy, canCancel: cancelWork != nil)
    wasSent = false
    isAwaited = isBusy
    if screen.isLast {
      hasShownLast = true
      wakeWatchers()
    }
    return PageReply(
      "200 OK", fields: fields,
      html: theme.page(rendering.values(of: isBusy ? screen.busy : screen)))
  }

  /// Takes a form.
  private func submit(_ request: PageRequest) -> PageReply {
    let back = Self.isOfScript(request) ? .nothing : PageReply.redirect(to: rules.path)
    guard
      request.only("Content-Type")?.lowercased().hasPrefix("application/x-www-form-urlencoded")
        == true,
      let fields = FormFields(decoding: request.body)
    else { return PageReply("400 Bad Request", text: "This is not a form of the page.\n") }
    guard fields["screen"] == "\(number)" else {
      wasSent = true
      return back
    }
    guard waiting != nil else {
      let isCancel = fields["button"] == PageText.cancel.rawValue
      if isCancel, let cancelWork { cancelWork() } else { wasSent = !screen.isWorking }
      return back
    }
    let shown = number
    if case .accounts = screen, let account = fields["account"] {
      act(.account(account), on: shown)
    } else {
      act(.button(fields["button"] ?? "", fields), on: shown)
    }
    return back
  }

  /// When the page ends, by this machine's clock.
  private var endTime: String {
    let seconds = (end.wall + limit).rawValue / 1_000_000
    let local = seconds + (SystemTime.zoneOffset(at: seconds) ?? 0)
    let minutes = ((local % 86_400) + 86_400) % 86_400 / 60
    let text = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
    return "\(text(minutes / 60)):\(text(minutes % 60))"
  }

  // MARK: Waiting for another screen

  /// Whether the person has answered, or has nothing to answer: another screen comes.
  private var isBusy: Bool { waiting == nil && !screen.isLast }

  /// Waits for the next change, or this long.
  private func nextChange(within limit: Duration) async {
    lastWatcher += 1
    let watcher = lastWatcher
    let watch = Task { [clock] in
      await clock.sleep(for: limit)
      wake(watcher)
    }
    defer { watch.cancel() }
    await withCheckedContinuation { watchers[watcher] = $0 }
  }

  private func wake(_ watcher: Int) { watchers.removeValue(forKey: watcher)?.resume() }

  private func wakeWatchers() {
    for watcher in watchers.values { watcher.resume() }
    watchers = [:]
  }
}
