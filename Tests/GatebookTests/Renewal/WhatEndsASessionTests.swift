import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// The table of the article *What ends a session*, answer by answer: what the server says, as
/// bytes, and what becomes of the session.
@Suite struct WhatEndsASessionTests {
  @Test func `every line of the table is a row that a test knows`() {
    #expect(AnswerRow.all.count == AnswerRow.lineCount)
    let known: [String: Set<String>] = [
      "refresh": ["renewal ends", "tried again", "uncertain", "renewed"],
      "kept password": ["session ends", "not sent again", "tried again"],
      "code": ["login fails"], "device": ["asked again", "login fails"],
      "password": ["login fails"], "request": ["renewed", "caller's"],
    ]
    #expect(Set(AnswerRow.all.map(\.step)) == Set(known.keys))
    for row in AnswerRow.all {
      #expect(known[row.step]?.contains(row.end) == true, "\(row.testDescription)")
      #expect(!row.answers.isEmpty, "\(row.testDescription)")
      #expect(
        (row.name != nil) == ["renewal ends", "session ends", "login fails"].contains(row.end))
    }
  }

  private static func told(_ answer: HTTPReply?) -> Comment {
    guard let answer else { return "no answer" }
    return "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
  }

  private static func token(_ book: SessionBook) async -> Secret? { try? await book.token().value }

  // MARK: A refresh token

  @Test(arguments: AnswerRow.of("refresh"))
  func `an answer to a refresh before it is needed costs nothing that still serves`(
    _ row: AnswerRow
  ) async throws {
    for answer in row.answers {
      let (world, server, book) = try await TokenServer.stage()
      defer { withExtendedLifetime(world) {} }
      let heard = HeardLogins()
      let ada = try await book.logIn(server.method()).account
      await book.setLoginDelegate(heard)
      server.advance(500)
      server.settings.answer = answer
      if answer == nil { server.settings.lostQuestions = 1 }
      #expect(await Self.token(book) == Secret("acc-1"), Self.told(answer))
      #expect(server.tokenRequests == 2, Self.told(answer))
      let context = try await book.context(of: ada)
      server.settings.answer = nil
      switch row.end {
      case "renewal ends":
        #expect(context.state == .active, Self.told(answer))
        #expect(context.renewalEnd?.rawValue == row.name, Self.told(answer))
        #expect(await Self.token(book) == Secret("acc-1"))
        #expect(await heard.heard.isEmpty)
        server.advance(101)
        #expect(await Self.token(book) == nil)
        #expect(try await book.context(of: ada).state.reason?.rawValue == row.name)
        #expect(await Self.token(book) == nil)
        #expect(server.tokenRequests == 2, "What was refused is not sent again.")
        #expect(try await eventually { await heard.heard == ["error token.refused"] })
      case "tried again":
        #expect(context.state == .active, Self.told(answer))
        #expect(context.renewalEnd == nil)
        server.advance(101)
        #expect(await Self.token(book) == Secret("acc-2"), Self.told(answer))
      case "uncertain":
        #expect(context.state == .uncertain, Self.told(answer))
        server.advance(101)
        #expect(await Self.token(book) == Secret("acc-2"), Self.told(answer))
        #expect(server.refreshTokensSent.allSatisfy { $0 == "ref-1" })
        #expect(server.tokenRequests == 3)
      default:
        #expect(context.generation == 2, Self.told(answer))
      }
    }
  }

  @Test(arguments: AnswerRow.of("refresh"))
  func `an answer to a refresh that is needed ends only what the table says`(
    _ row: AnswerRow
  ) async throws {
    for answer in row.answers {
      let (world, server, book) = try await TokenServer.stage()
      defer { withExtendedLifetime(world) {} }
      let heard = HeardLogins()
      let ada = try await book.logIn(server.method()).account
      await book.setLoginDelegate(heard)
      server.advance(601)
      server.settings.answer = answer
      if answer == nil { server.settings.lostQuestions = 1 }
      #expect(await (Self.token(book) != nil) == (row.end == "renewed"), Self.told(answer))
      let sent = server.tokenRequests - 1
      let state = try await book.context(of: ada).state
      server.settings.answer = nil
      switch row.end {
      case "renewal ends":
        #expect(sent == 1, Self.told(answer))
        #expect(state.reason?.rawValue == row.name, Self.told(answer))
        #expect(await Self.token(book) == nil)
        #expect(server.tokenRequests == 2)
        #expect(await heard.heard == ["error token.refused"])
      case "tried again":
        #expect((1...3).contains(sent), Self.told(answer))
        #expect(state == .active)
        #expect(await Self.token(book) == Secret("acc-2"), Self.told(answer))
      case "uncertain":
        #expect(state == .uncertain, Self.told(answer))
        #expect(sent == (answer == nil ? 1 : 2), Self.told(answer))
        server.advance(3)
        let next = await Self.token(book)
        #expect(next == (answer == nil ? Secret("acc-2") : nil), Self.told(answer))
        #expect(server.tokenRequests == 3, "It is never sent a third time.")
      default:
        #expect(sent == 1)
        #expect(try await book.context(of: ada).generation == 2, Self.told(answer))
      }
    }
  }

  // MARK: Passwords

  @Test(arguments: AnswerRow.of("kept password"))
  func `an answer to a saved password sends it again only where the table says`(
    _ row: AnswerRow
  ) async throws {
    for answer in row.answers {
      let (world, server, book) = try await TokenServer.stage()
      defer { withExtendedLifetime(world) {} }
      server.settings.givesRefreshTokens = false
      var options = LoginOptions()
      options.saveCredentials = true
      let ada = try await book.logIn(server.method(), options: options).account
      server.advance(600)
      server.settings.answer = answer
      if answer == nil { server.settings.lostQuestions = 1 }
      #expect(await Self.token(book) == nil, Self.told(answer))
      #expect(server.tokenRequests == 2, Self.told(answer))
      let state = try await book.context(of: ada).state
      server.settings.answer = nil
      server.advance(2000)
      let next = await Self.token(book)
      switch row.end {
      case "session ends":
        #expect(state.reason?.rawValue == row.name, Self.told(answer))
        #expect(next == nil)
        #expect(server.tokenRequests == 2, Self.told(answer))
      case "not sent again":
        #expect(state == .active, Self.told(answer))
        #expect(next == nil)
        #expect(server.tokenRequests == 2, Self.told(answer))
        #expect(try await book.renewNow(ada), "Who asks may try.")
      default:
        #expect(state == .active, Self.told(answer))
        #expect(next == Secret("acc-2"), Self.told(answer))
      }
    }
  }

  @Test(arguments: AnswerRow.of("password"))
  func `a login by password fails as the table says, and leaves the session alone`(
    _ row: AnswerRow
  ) async throws {
    let (world, server, book) = try await TokenServer.stage()
    defer { withExtendedLifetime(world) {} }
    let ada = try await book.logIn(server.method()).account
    let method = try server.method()
    for answer in row.answers {
      server.settings.answer = answer
      let before = server.tokenRequests
      await expect(FailureCode(rawValue: row.name ?? "")) { () throws(GatebookError) in
        _ = try await book.logIn(method)
      }
      #expect(server.tokenRequests == before + 1, Self.told(answer))
      #expect(try await book.context(of: ada).state == .active)
    }
  }

  // MARK: Codes

  @Test(arguments: AnswerRow.of("code"))
  func `a code is sent once, and its login fails as the table says`(_ row: AnswerRow) async throws {
    let (world, server, book) = try await TokenServer.stage()
    defer { withExtendedLifetime(world) {} }
    for answer in row.answers {
      let pending = try await book.beginLogIn(server.pageMethod())
      server.settings.answer = answer
      let before = server.tokenRequests
      let redirect = try TokenServer.redirect(of: pending)
      await expect(FailureCode(rawValue: row.name ?? "")) { () throws(GatebookError) in
        _ = try await book.finishLogIn(redirect: redirect)
      }
      #expect(server.tokenRequests == before + 1, Self.told(answer))
    }
  }

  @Test(arguments: AnswerRow.of("device"))
  func `the wait for a device ends as the table says`(_ row: AnswerRow) async throws {
    for answer in row.answers {
      let polls = TestBox(0)
      let granting = DeviceServer.transport(pending: 0)
      let world = try TestBook()
      let book = try await world.open(
        ScriptedTransport { request, route throws(TransportFailure) in
          let isFirst =
            request.url.path == "/token"
            && polls.withLock { count in
              count += 1
              return count == 1
            }
          guard isFirst, var answer else {
            return try await granting.send(request, through: route)
          }
          answer.fields.append(HTTPField("Content-Length", "\(answer.body.count)"))
          return answer
        })
      let method = try DeviceServer.method()
      if row.end == "asked again" {
        let ada = try await book.logIn(method, browser: DeviceScreen())
        #expect(ada.state == .active, Self.told(answer))
        #expect(polls.value == 2, Self.told(answer))
      } else {
        await expect(FailureCode(rawValue: row.name ?? "")) { () throws(GatebookError) in
          _ = try await book.logIn(method, browser: DeviceScreen())
        }
        #expect(polls.value == 1, Self.told(answer))
      }
    }
  }

  // MARK: Requests

  @Test(arguments: AnswerRow.of("request"))
  func `an answer to a request renews the session only where the table says`(
    _ row: AnswerRow
  ) async throws {
    for answer in row.answers {
      let world = try TestBook()
      let server = TokenServer(world.clock)
      let transport = server.transport
      let book = try await world.open(
        ScriptedTransport { request, route throws(TransportFailure) in
          guard request.url.path == "/data", let answer else {
            return try await transport.send(request, through: route)
          }
          return answer
        })
      let ada = try await book.logIn(server.method()).account
      let reply = try await book.send(server.page())
      #expect(reply.status == answer?.status)
      let context = try await book.context(of: ada)
      #expect(context.state == .active, Self.told(answer))
      #expect(context.generation == (row.end == "renewed" ? 2 : 1), Self.told(answer))
    }
  }
}
