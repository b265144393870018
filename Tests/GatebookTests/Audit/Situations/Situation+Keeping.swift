import GatebookEvents
import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

extension Situation {
  /// What became of a book and of its accounts beside their sessions.
  static let keeping = [
    Situation("A session that was offline for too long") {
      var options = LoginOptions()
      options.offlineLimit = .seconds(3600)
      let world = try TestBook()
      let server = BasicServer()
      let book = try await world.open(server.transport)
      let ada = try await book.logIn(.basic(), options: options).account
      server.set(.down)
      world.clock.advance(by: .seconds(3601))
      _ = try? await book.restore(ada)
      return try await book.told(ada)
    },
    Situation("A session past its offline limit before the next use") {
      var options = LoginOptions()
      options.offlineLimit = .seconds(3600)
      let world = try TestBook()
      let book = try await world.open(BasicServer().transport)
      let ada = try await book.logIn(.basic(), options: options).account
      _ = try await book.restore(ada)
      world.clock.advance(by: .seconds(3601))
      return try await book.told(ada)
    },
    Situation("An offline limit that passed for a session that was not resumed") {
      var options = LoginOptions()
      options.offlineLimit = .seconds(3600)
      let world = try TestBook()
      let book = try await world.open(BasicServer().transport)
      let ada = try await book.logIn(.basic(), options: options).account
      world.clock.advance(by: .seconds(3601))
      return try await book.told(ada)
    },
    Situation("A resumed session that the server does not confirm") {
      let world = try TestBook()
      let server = BasicServer()
      let book = try await world.open(server.transport)
      let ada = try await book.logIn(.basic()).account
      _ = try await book.restore(ada)
      for mood in [BasicServer.Mood.status(404), .status(503), .status(503)] {
        server.set(mood)
        _ = try await book.sync()
      }
      return try await book.told(ada)
    },
    Situation("An expired session at its next use") {
      let stage = try await Tokens { $0.givesRefreshTokens = false }
      stage.server.advance(7200)
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
    Situation("A saved password that the server rejected") {
      let world = try TestBook()
      let server = BasicServer()
      let book = try await world.open(server.transport)
      let ada = try await book.logIn(.basic(), options: .saved).account
      server.change(password: "babbage")
      _ = try? await book.send(
        .get(try #require(HTTPURL("http://127.0.0.1:8080/private/page"))), as: ada)
      return try await book.told(ada)
    },
    Situation("An account that was erased") {
      let stage = try await Tokens()
      _ = try await stage.book.erase(stage.ada)
      return try await stage.book.told(stage.ada)
    },
    Situation("A login by Liferay OAuth 1.0a") {
      let world = try await PortalWorld()
      let ada = try await world.logIn(.oauth1)
      return try await world.book.told(ada.account)
    },
    Situation("A password over a connection without TLS") {
      var options = LoginOptions()
      options.allowsCleartext = true
      let world = try TestBook()
      let book = try await world.open(BasicServer().transport)
      _ = try await book.logIn(.basic("http://portal.example/private/page"), options: options)
      return try await book.told(last: .trustDecided)
    },
    Situation("A session whose login is in the archive") {
      let stage = try await Tokens()
      _ = try await stage.book.archive(to: stage.world.path + ".archive")
      stage.server.advance(601)
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
  ]
}
