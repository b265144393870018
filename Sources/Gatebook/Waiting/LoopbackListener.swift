internal import GatebookSystem

/// Receives the redirect of a server's login page on a loopback port.
///
/// Source: RFC 8252 section 7.3. It listens on `127.0.0.1` (or `::1`), never on a name, because
/// `localhost` may lead elsewhere. It answers only GET on its own path, with one short page that
/// repeats nothing of the request; it refuses every other request. With a ``PageOpener`` the page
/// shows the result of the login, and the browser waits for that. A silent connection, such as
/// browsers open in advance, does not delay others. It listens as long as it exists: a redirect of
/// another login does not end the wait. It keeps 64 redirects that nobody has taken; with a
/// ``PageOpener``, those of its own logins have extra room.
///
/// ```swift
/// let listener = try LoopbackListener()
/// let method = LoginMethod.liferay(
///   portal, .oauth2Redirect(clientID: id, redirectURI: listener.uri))
/// let ada = try await book.logIn(method, browser: PageOpener(listener) { show($0) })
/// ```
public final class LoopbackListener: Sendable {
  /// The redirect URI for the server.
  public let uri: String
  private let thread: LoopbackThread
  let arrived = RedirectQueue()
  private let visitors = Locked(LoopbackVisitors())

  /// Starts to listen.
  ///
  /// - Parameter uri: A fixed redirect URI such as `http://127.0.0.1:8765/callback`, for servers
  ///   that compare ports; `nil` takes any free port of `127.0.0.1` and the path `/callback`.
  /// - Throws: `configuration.invalid` for a URI that is not an `http` URL of a loopback address,
  ///   or for a port that is in use.
  public init(uri: String? = nil) throws(GatebookError) {
    let wanted = uri ?? "http://127.0.0.1:0/callback"
    guard let address = LoopbackAddress(wanted) else {
      throw GatebookError(
        .configurationInvalid,
        "The redirect URI must be an http URL of 127.0.0.1 or [::1] without a query.",
        kept: "Nothing was sent.",
        remedy:
          "Use such a URI, or pass redirects of other URIs to `SessionBook.finishLogIn`.")
    }
    let (socket, port) = try address.listen()
    // A given URI is kept unchanged: servers compare it byte by byte.
    let own = address.port == 0 ? "http://\(address.host):\(port)\(address.path)" : wanted
    self.uri = own
    let (arrived, visitors) = (arrived, visitors)
    thread = try LoopbackThread(socket, path: Array(address.path.utf8)) { query, page in
      let redirect = "\(own)\(query)"
      visitors.withLock { $0.add(page, for: redirect) }
      Task {
        guard await !arrived.give(redirect) else { return }
        visitors.withLock { $0.take(redirect) }?.answer(RedirectEnding.refused(Self.flood).news)
      }
    }
  }

  deinit {
    thread.stop()
  }

  /// Shows the result of a redirect in the browser.
  ///
  /// It does nothing if no browser waits for it: only a ``PageOpener`` makes the browser wait.
  ///
  /// - Parameters:
  ///   - redirect: What ``redirect()`` returned.
  ///   - ending: Its result.
  public func end(_ redirect: String, with ending: RedirectEnding) {
    let page = visitors.withLock { visitors in
      switch ending {
      case .loggedIn, .failed: visitors.end()
      case .refused: break
      }
      return visitors.take(redirect)
    }
    page?.answer(ending.news)
  }

  /// Makes browsers wait for what becomes of their redirects: a login will say it.
  ///
  /// - Parameter page: The page of that login.
  func expect(from page: HTTPURL) async {
    visitors.withLock { $0.begin() }
    await arrived.expect(from: page)
  }

  private static let flood = GatebookError(
    .limitExceeded, "Too many answers arrived at once.", kept: "No session was changed.",
    remedy: "Log in again.")

  /// The next redirect that arrives.
  ///
  /// - Returns: The whole URI.
  /// - Throws: `cancelled` when the task was cancelled.
  public func redirect() async throws(GatebookError) -> String {
    guard let redirect = await arrived.next() else {
      throw GatebookError(
        .cancelled, "The wait for the redirect was cancelled.", kept: "No session was changed.",
        remedy: "Log in again.")
    }
    return redirect
  }
}
