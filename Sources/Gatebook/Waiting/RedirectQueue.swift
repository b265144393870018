/// Redirects in the order of their arrival, for all who wait for the next one.
///
/// Any program on the machine can send redirects, faster than they are processed, so the queue is
/// bounded. Redirects that name a running login have space of their own, so that a flood of others
/// does not keep them out; of each kind the oldest stay.
actor RedirectQueue {
  /// How many of each kind wait, and how many logins are known at once.
  static let limit = 64

  private struct Arrived {
    let redirect: String
    let isExpected: Bool
  }

  private var arrived: [Arrived] = []
  private var expected: [String] = []
  private var waiting: [FirstValue<Bool>] = []

  /// How many redirects wait.
  var count: Int { arrived.count }

  /// Makes room for the redirect of a login, by the name that its page carries: `state`
  /// (RFC 6749 section 4.1.1) or `oauth_token` (RFC 5849 section 2.2).
  func expect(from page: HTTPURL) {
    guard let name = Self.name(in: page.query) else { return }
    expected.append(name)
    if expected.count > Self.limit { expected.removeFirst() }
  }

  /// Takes a redirect in, unless too many of its kind wait already.
  ///
  /// - Returns: Whether it was taken in.
  @discardableResult
  func give(_ redirect: String) async -> Bool {
    let query = redirect.utf8.firstIndex(of: UInt8(ascii: "?")).map { redirect[$0...].dropFirst() }
    let name = Self.name(in: query.map { String($0) })
    let isExpected =
      if let name { expected.contains { $0.utf8.elementsEqual(name.utf8) } } else { false }
    guard arrived.count(where: { $0.isExpected == isExpected }) < Self.limit else {
      return false
    }
    arrived.append(Arrived(redirect: redirect, isExpected: isExpected))
    let all = waiting
    waiting = []
    for waiter in all { await waiter.give(true) }
    return true
  }

  /// The next redirect; `nil` when the caller was cancelled, and then it is left to others.
  func next() async -> String? {
    while !Task.isCancelled {
      if !arrived.isEmpty { return arrived.removeFirst().redirect }
      let arrival = FirstValue<Bool>()
      waiting.append(arrival)
      let isThere = await arrival.value(cancelled: false)
      waiting.removeAll { $0 === arrival }
      guard isThere else { return nil }
    }
    return nil
  }

  private static func name(in query: String?) -> String? {
    guard let query, let fields = FormFields(decoding: query.utf8) else { return nil }
    return fields["state"] ?? fields["oauth_token"]
  }
}
