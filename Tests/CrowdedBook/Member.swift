internal import Gatebook
internal import GatebookCurl

/// What one thread does: it picks a person and something to do, again and again.
struct Member: Sendable {
  let number: Int
  let book: SessionBook
  let crowd: Crowd

  /// Does one thing.
  func act(_ count: Int, _ chance: Chance) async {
    var chance = chance
    let person = Int.random(in: Site.people.indices, using: &chance)
    let turn = crowd.turn(of: person)
    do throws(GatebookError) {
      switch Int.random(in: 0..<100, using: &chance) {
      case ..<58: try await send(person, turn, "\(number)-\(count)")
      case ..<70: try await refresh(person)
      case ..<82: try await use(person, "\(number)-\(count)")
      case ..<94: try await change(to: person)
      default: try await leaveAndReturn(person)
      }
    } catch {
      judge(error, person, turn)
    }
  }

  /// Who had not logged out must not be told to log in, nor anything else fail.
  private func judge(_ error: GatebookError, _ person: Int, _ turn: Int) {
    if error.code == .sessionRefused, crowd.hasLoggedOut(person, since: turn) {
      return crowd.count("refused")
    }
    crowd.blame("\(Site.people[person]): \(error)")
  }

  /// A request that Gatebook sends.
  private func send(_ person: Int, _ turn: Int, _ serial: String) async throws(GatebookError) {
    let name = Site.people[person]
    let account = try crowd.account(of: person)
    let before = try await book.context(of: account)
    let url = try crowd.site.url("/api/me?as=\(name)&at=\(serial)")
    let reply = try await book.send(.get(url), as: account)
    if reply.status == 401 {
      // The token was spent by somebody else's renewal twice while this request was on its way.
      let after = try await book.context(of: account)
      guard after.generation > before.generation || crowd.hasLoggedOut(person, since: turn) else {
        return crowd.blame("\(name) is refused, and nobody renewed")
      }
      return crowd.count("overtaken")
    }
    check(reply, name)
    crowd.count("send")
  }

  /// A request that the app sends without Gatebook, with the account's token.
  private func use(_ person: Int, _ serial: String) async throws(GatebookError) {
    let name = Site.people[person]
    let token = try await book.token(for: crowd.account(of: person))
    var request = HTTPRequest.get(try crowd.site.url("/api/me?as=\(name)&at=\(serial)"))
    let text = token.value.withBytes { String(decoding: $0, as: UTF8.self) }
    request.fields.append(HTTPField("Authorization", "Bearer " + text))
    do throws(TransportFailure) {
      let reply = try await Site.transport.send(request, through: Route(pool: "own-\(number)"))
      // Spent by a renewal since it was handed out.
      guard reply.status != 401 else { return crowd.count("overtaken") }
      check(reply, name)
      crowd.count("token")
    } catch {
      throw error.error
    }
  }

  private func check(_ reply: HTTPReply, _ name: String) {
    guard !Site.speaks(reply, for: name) else { return }
    crowd.blame("\(name) gets \(reply.status): \(String(decoding: reply.body, as: UTF8.self))")
  }

  private func refresh(_ person: Int) async throws(GatebookError) {
    let account = try crowd.account(of: person)
    _ = try await book.renewNow(account)
    crowd.count("refresh")
  }

  private func change(to person: Int) async throws(GatebookError) {
    let account = try crowd.account(of: person)
    _ = try await book.switchAccount(to: account)
    crowd.count("switch")
  }

  private func leaveAndReturn(_ person: Int) async throws(GatebookError) {
    guard crowd.beginTurn(of: person) else { return }
    defer { crowd.endTurn(of: person) }
    let account = try crowd.account(of: person)
    _ = try await book.logOut(account)
    let context = try await book.logIn(crowd.site.login(of: Site.people[person]))
    if context.account != account { crowd.blame("\(Site.people[person]) has a new account") }
    crowd.count("logout")
  }
}
