internal import GatebookThreads

/// Hears the redirect that ends a person's visit to a server's page, on a loopback port.
///
/// Source: RFC 8252 section 7.3. It listens on `127.0.0.1` (or `::1`), never on a name: what
/// `localhost` leads to is not ours to say. It answers only GET on its own path, with one short page
/// that repeats nothing of the request; every other request is refused and ignored. With a ``PageOpener``
/// the page says what became of the login, and the browser waits for that. A connection on which
/// nothing is said, such as browsers open in advance, holds up no other one. It listens
/// as long as it lives: a redirect that belongs to another login does not end the wait. Of redirects
/// that nobody takes it keeps 64; with a ``PageOpener`` those of its logins have room of their own.
///
/// ```swift
/// let listener = try LoopbackListener()
/// let method = LoginMethod.liferay(
///   portal, .oauth2Redirect(clientID: id, redirectURI: listener.uri))
/// let ada = try await book.logIn(method, browser: PageOpener(listener) { show($0) })
/// ```
public final class LoopbackListener: Sendable {
  /// Where the server is to send the browser.
  public let uri: String
  private let thread: LoopbackThread
  let arrived = RedirectQueue()
  private let visitors = Locked(LoopbackVisitors())

  /// Begins to listen.
  ///
  /// - Parameter uri: A fixed redirect URI such as `http://127.0.0.1:8765/callback`, for servers that
  ///   compare ports; `nil` takes any free port of `127.0.0.1` and the path `/callback`.
  /// - Throws: `configuration.invalid` for a URI that is no `http` URL of a loopback address, or a
  ///   port that is taken.
  public init(uri: String? = nil) throws(GatebookError) {
    let wanted = uri ?? "http://127.0.0.1:0/callback"
    guard let address = LoopbackAddress(wanted) else {
      throw GatebookError(
        .configurationInvalid,
        "The redirect URI is no http URL of 127.0.0.1 or [::1] without a query.",
        kept: "Nothing was sent.", remedy: "Give one, or take redirects of other URIs yourself.")
    }
    let (socket, port) = try address.listen()
    // A URI that was given stands as it was given: servers compare it byte by byte.
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

  /// Says in the browser what became of a redirect.
  ///
  /// It does nothing where no browser waits for that: only a ``PageOpener`` makes it wait.
  ///
  /// - Parameters:
  ///   - redirect: What ``redirect()`` returned.
  ///   - ending: What became of it.
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
    .limitExceeded, "Too many answers arrived at once.", kept: "Sessions are as before.",
    remedy: "Log in again.")

  /// The next redirect that arrives.
  ///
  /// - Returns: The whole URI.
  /// - Throws: `cancelled` when the task was cancelled.
  public func redirect() async throws(GatebookError) -> String {
    guard let redirect = await arrived.next() else {
      throw GatebookError(
        .cancelled, "The wait for the redirect was cancelled.", kept: "Sessions are as before.",
        remedy: "Log in again.")
    }
    return redirect
  }
}
