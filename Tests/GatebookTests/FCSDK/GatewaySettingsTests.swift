import Gatebook
import GatebookFakes
import Testing

@Suite struct GatewaySettingsTests {
  @Test func `settings are remembered over logout and restart, without the field`() async throws {
    let world = try await GatewayWorld()
    let method = try world.login(useCookies: false, field: HTTPField("X-Key", "blue-key-8819"))
    var options = LoginOptions()
    options.trust = .authorities(file: "/etc/own.pem")
    let ada = try await world.book.logIn(method, options: options)
    let ben = try await world.book.logIn(world.login(.ben))
    _ = try await world.book.logOut(ada.account, forgettingCredentials: true)
    await world.book.close()
    let second = try await world.world.open(world.transport)
    let saved = try #require(try await second.savedSettings(of: ada.account))
    #expect(saved.method == "fcsdk")
    #expect(saved.gateway == (try world.settings(useCookies: false)))
    #expect(saved.trust == .authorities(file: "/etc/own.pem"))
    #expect(try await second.savedSettings(of: ben.account)?.gateway == world.settings())
    #expect(try await second.savedSettings(of: ben.account)?.trust == .system)
    #expect(try world.secret(of: ada.account, "settings")?.contains("blue-key") == false)
  }

  @Test func `settings are those of the last login that succeeded`() async throws {
    let world = try await GatewayWorld()
    let ada = try await world.book.logIn(world.login())
    let wrong = try world.login(password: "wrong", useCookies: false)
    await #expect(throws: GatebookError.self) { try await world.book.logIn(wrong) }
    #expect(try await world.book.savedSettings(of: ada.account)?.gateway?.useCookies == true)
    _ = try await world.book.logIn(world.login(useCookies: false))
    #expect(try await world.book.savedSettings(of: ada.account)?.gateway?.useCookies == false)
  }

  @Test func `an unknown account has no settings`() async throws {
    let world = try await GatewayWorld()
    let id = try #require(AccountID(bytes: [UInt8](repeating: 9, count: 16)))
    let error = await #expect(throws: GatebookError.self) {
      try await world.book.savedSettings(of: id)
    }
    #expect(error?.code == .configurationInvalid)
  }
}
