internal import Gatebook
internal import Glibc

/// All accounts of the book, who logs out at this moment, and what must not have happened.
// Sendable by hand: its lock guards all that changes.
final class Crowd: @unchecked Sendable {
  let site: Site
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var accounts: [AccountID?] = Array(repeating: nil, count: Site.people.count)
  /// Odd while the person logs out and in again.
  private var turns = Array(repeating: 0, count: Site.people.count)
  private var blamed: [String] = []
  private var done: [String: Int] = [:]

  init(site: Site) {
    self.site = site
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }

  /// Logs everybody in.
  func arrive(in books: [SessionBook]) async throws(GatebookError) {
    for (person, name) in Site.people.enumerated() {
      let context = try await books[person % books.count].logIn(site.login(of: name))
      locked { accounts[person] = context.account }
    }
  }

  func account(of person: Int) throws(GatebookError) -> AccountID {
    guard let account = locked({ accounts[person] }) else {
      throw GatebookError(.sessionRefused, "Nobody has logged in yet.", remedy: "Wait.")
    }
    return account
  }

  /// How often the person has begun to log out, and has logged in again, together.
  func turn(of person: Int) -> Int { locked { turns[person] } }

  /// Lets one at a time log a person out and in again; false when another one does.
  func beginTurn(of person: Int) -> Bool {
    locked {
      guard turns[person].isMultiple(of: 2) else { return false }
      turns[person] += 1
      return true
    }
  }

  func endTurn(of person: Int) { locked { turns[person] += 1 } }

  /// Whether somebody who was refused had logged out meanwhile.
  func hasLoggedOut(_ person: Int, since turn: Int) -> Bool {
    locked { !turn.isMultiple(of: 2) || turns[person] != turn }
  }

  func count(_ what: String) { locked { done[what, default: 0] += 1 } }

  /// Keeps what must not happen.
  func blame(_ what: String) {
    locked { blamed.append(what) }
    print("problem: \(what)")
  }

  var isBlameless: Bool { locked { blamed.isEmpty } }

  /// What was done, by name: `done send=N refresh=N ...`.
  var summary: String {
    locked {
      "done "
        + done.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        .joined(separator: " ")
    }
  }

  /// At the end everybody is logged in, speaks for nobody else, and the servers know of all
  /// logouts.
  func settle(in books: [SessionBook]) async throws(GatebookError) {
    for (person, name) in Site.people.enumerated() {
      let account = try account(of: person)
      let state = try await books[0].context(of: account).state
      if state != .active { blame("\(name) ends as \(state)") }
      let reply = try await books[1].send(.get(site.url("/api/me?as=\(name)&at=end")), as: account)
      if !Site.speaks(reply, for: name) { blame("\(name) gets \(reply.status) at the end") }
    }
    let report = try await books[0].sync()
    if report.waiting > 0 { blame("\(report.waiting) things wait for the server") }
  }
}
