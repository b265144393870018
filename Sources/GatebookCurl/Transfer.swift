internal import CCurl
internal import GatebookAuthentication
internal import GatebookEvents
internal import GatebookSystem

/// One request under way: an easy handle of libcurl and what its callbacks fill.
///
/// Lives on the thread of its loop only.
final class Transfer {
  let ask: Ask
  let easy: UnsafeMutableRawPointer
  /// What it runs on; `nil` once it has been given away.
  private(set) var handle: EasyHandle?
  /// Whether the handle has served before, so that only what is this request's own is to be set.
  let isConfigured: Bool
  let library: CurlLibrary
  /// The connections it may use; held so that they outlive the easy handle.
  let pool: ConnectionPool
  /// What has come of the answer.
  var reader: ReplyReader
  /// Set by libcurl when the connection is ready and the request is about to be sent
  /// (`CURLOPT_PREREQFUNCTION`).
  private(set) var hasBegun = false
  /// Whether libcurl has sent it again, because a kept connection was closed.
  private var isRepeated = false
  /// Whether it was not sent, because its time was over when its connection was ready.
  private var isLate = false
  /// Set when a connection is ready to start TLS (`CURLOPT_SSL_CTX_FUNCTION`).
  var startedTLS = false
  /// Judges the server's certificate; `nil` over plain http, and where only libcurl can judge.
  var judge: CertificateJudge?
  /// Which proxy it takes.
  let proxy: CurlTransport.Proxy
  /// The header lines given to libcurl.
  var lines: UnsafeMutablePointer<curl_slist>?
  /// When its time is over; a machine that sleeps stops that clock.
  private(set) var deadline: SuspendingClock.Instant
  /// Whether the next bytes of the request's body were not there yet.
  private(set) var isWaiting = false
  /// Whether the sink has no room, and libcurl keeps the next bytes of the answer.
  private(set) var isHeld = false
  /// Since when the answer's header is here and nothing more of it has come.
  private var pauseStart: (count: Int, at: SuspendingClock.Instant)?
  /// Why the request's body could not be read.
  private var sourceFailure: GatebookError?

  init(
    _ ask: Ask, _ pool: ConnectionPool, _ library: CurlLibrary, _ proxy: CurlTransport.Proxy
  ) throws(CurlStatus) {
    let fit = EasyHandle.Fit(ask.request, proxy)
    let spare = fit.flatMap { pool.takeSpare(for: $0) }
    let handle =
      if let spare { spare } else { try EasyHandle(library, for: fit, at: ask.request.url.origin) }
    self.ask = ask
    self.easy = handle.pointer
    self.handle = handle
    isConfigured = spare != nil
    self.library = library
    self.pool = pool
    self.proxy = proxy
    reader = ReplyReader(ask.request.limits, ask.request.sink)
    deadline = .now + ask.request.limits.total
  }

  deinit {
    // Before its pool: libcurl frees a share only when no handle uses it any more.
    handle = nil
    library.functions.pointee.curl_slist_free_all(lines)
  }

  /// Gives the handle to the next request of its kind; only of a transfer that succeeded and that
  /// libcurl no longer drives.
  ///
  /// Not one on which a request was sent again: libcurl (7.88) counts that for the handle, not for
  /// the transfer, and gives up after five times.
  func giveHandleOn() {
    guard !isRepeated, let handle, handle.fit != nil, handle.clear() else { return }
    pool.keep(handle)
    self.handle = nil
  }

  /// Takes that the request is about to leave.
  ///
  /// - Returns: Whether it may: what leaves after its time is given up at once, and nobody knows
  ///   then what became of it.
  func begin() -> Bool {
    guard deadline > .now else {
      isLate = true
      return false
    }
    isRepeated = hasBegun
    hasBegun = true
    return true
  }

  /// Takes a piece of the answer's body.
  ///
  /// - Returns: Its size; a code of libcurl where it is not taken now, or never.
  func receive(body piece: UnsafeRawBufferPointer) -> Int {
    defer { if reader.isForSink { extend() } }
    if reader.isStreamed, ask.request.sink?.hasRoom() == false {
      isHeld = true
      return Int(CURL_WRITEFUNC_PAUSE)
    }
    return reader.receive(body: piece) ? piece.count : refused
  }

  /// How long an answer may pause before a prompt sink gets what has come: what comes at once is
  /// judged first, for some servers refuse a session in the body.
  static let pause = Duration.milliseconds(50)

  /// Whether a prompt sink waits for the beginning of the answer.
  var isHeldBack: Bool { reader.isHeldBack }

  /// Gives a prompt sink what has come, once the answer has paused; returns whether to continue.
  func handOn(at now: SuspendingClock.Instant) -> Bool {
    guard reader.isHeldBack else { return true }
    guard let pauseStart, pauseStart.count == reader.count else {
      pauseStart = (reader.count, now)
      return true
    }
    guard pauseStart.at.duration(to: now) >= Self.pause else { return true }
    return reader.beginStreaming()
  }

  /// Fills a buffer with the next bytes of the request's body.
  ///
  /// - Returns: How many; 0 at the end; a code of libcurl where there are none.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let source = ask.request.source else { return 0 }
    do throws(GatebookError) {
      // The server is not to blame for a source that has to be waited for.
      extend()
      guard let count = try source.next(buffer) else {
        isWaiting = true
        return Int(CURL_READFUNC_PAUSE)
      }
      return count
    } catch {
      sourceFailure = error
      return Int(CURL_READFUNC_ABORT)
    }
  }

  /// Asks the request's source and the answer's sink again, where there is a reason to.
  func resume() {
    // The server is not to blame for a sink that has to be waited for.
    if isHeld { extend() }
    guard isWaiting || (isHeld && ask.request.sink?.hasRoom() != false) else { return }
    isWaiting = false
    isHeld = false
    _ = library.functions.pointee.curl_easy_pause(easy, CURLPAUSE_CONT)
  }

  /// A transfer that moves has time.
  private func extend() { deadline = .now + ask.request.limits.total }

  /// What is known about the request: only before it began it is certain that nothing was sent.
  var delivery: TransportFailure.Delivery { hasBegun ? .maybeSent : .notSent }

  /// The answer to give when libcurl has ended the transfer.
  func answer(_ code: CURLcode) -> Ask.Answer {
    let origin = ask.request.url.origin
    let code = isLate ? CURLE_OPERATION_TIMEDOUT : code
    if let sourceFailure {
      return .failure(TransportFailure(sourceFailure, delivery: delivery))
    }
    if let breach = reader.breach {
      return .failure(.exceeded(breach, ask.request))
    }
    let status = told(CURLINFO_RESPONSE_CODE)
    // Nobody asked for another protocol; what libcurl makes of it depends on its version.
    guard status != 101 else { return .failure(.strangeStatus(status, origin)) }
    if let demand = proxyDemand(status) { return .failure(.kept(by: demand, ask.request)) }
    guard code == CURLE_OK else {
      guard !isLineTooLong(code) else { return .failure(.exceededLine(origin)) }
      var status = library.status(code, detail: detail(for: origin))
      status.lacksTLS = startedTLS && !hasBegun
      return .failure(
        refusal(status) ?? status.failure(origin, delivery, through: proxy.place(for: origin)))
    }
    // libcurl is content when a connection closes inside the header or after an interim answer.
    guard reader.isHeaderComplete, status >= 200 else {
      return .failure(library.status(CURLE_GOT_NOTHING).failure(origin, .maybeSent))
    }
    guard (200...599).contains(status) else {
      return .failure(.strangeStatus(status, origin))
    }
    var reply = HTTPReply(status: status, fields: reader.fields, body: reader.body)
    reply.isStreamed = reader.isStreamed
    reply.isDelimited = told(CURLINFO_HTTP_VERSION) >= CURL_HTTP_VERSION_2_0
    return .success(reply)
  }

  /// A number that libcurl knows of the transfer.
  func told(_ info: CURLINFO) -> Int {
    var number = 0
    _ = curl_get_long(library.functions, easy, info, &number)
    return number
  }

  /// libcurl's words for what went wrong; none where they quote what only the proxy may know.
  private func detail(for origin: Origin) -> String {
    let words = handle.map { String(cString: $0.words) } ?? ""
    return proxy.secrets(for: origin).contains { words.contains($0) } ? "" : words
  }

  /// Whether libcurl gave up within a header line: it then speaks of missing memory, and later
  /// versions of `CURLE_TOO_LARGE`, which is 100.
  private func isLineTooLong(_ code: CURLcode) -> Bool {
    hasBegun && !reader.isHeaderComplete
      && (code == CURLE_OUT_OF_MEMORY || code.rawValue == 100)
  }

  /// Lets libcurl's callbacks fill this transfer.
  ///
  /// It is handed over without a retain: the loop holds it for as long as the easy handle runs.
  func setReceiver() throws(CurlStatus) {
    let transfer = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    for place in [CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_PREREQDATA] {
      try library.set(easy, place, pointer: transfer)
    }
    if ask.request.source != nil { try library.set(easy, CURLOPT_READDATA, pointer: transfer) }
  }

  /// Tells libcurl what to call.
  func setCallbacks() throws(CurlStatus) {
    try library.set(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, transfer in
      let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return Transfer.at(transfer)?.reader.receive(line: line) == true ? line.count : refused
    }
    try library.set(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, transfer in
      let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return Transfer.at(transfer)?.receive(body: piece) ?? refused
    }
    if ask.request.source != nil {
      try library.set(easy, CURLOPT_READFUNCTION) { bytes, size, count, transfer in
        let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return Transfer.at(transfer)?.fill(buffer) ?? Int(CURL_READFUNC_ABORT)
      }
    }
    try library.setPrerequest(easy) { transfer, _, _, _, _ in
      guard let transfer = Transfer.at(transfer), transfer.begin() else {
        return CURL_PREREQFUNC_ABORT
      }
      return CURL_PREREQFUNC_OK
    }
  }

  /// The transfer of the pointer that its callbacks get.
  static func at(_ pointer: UnsafeMutableRawPointer?) -> Transfer? {
    pointer.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// A count that no call hands over, so libcurl ends the transfer, also when a piece is empty.
private let refused = -1
