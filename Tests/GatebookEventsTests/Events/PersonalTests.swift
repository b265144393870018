import GatebookEvents
import Testing

@Suite struct PersonalTests {
  @Test func `only what is known has a value, and a change keeps what can be seen`() {
    #expect(Personal.known(3).value == 3)
    #expect(Personal<Int>.sealed.value == nil)
    #expect(Personal<Int>.forgotten.value == nil)
    #expect(Personal.known(3).map { "\($0)" } == .known("3"))
    #expect(Personal<Int>.sealed.map { "\($0)" } == .sealed)
    #expect(Personal<Int>.forgotten.map { "\($0)" } == .forgotten)
  }

  @Test func `attributes are read as text`() {
    let user = UserAttributes([
      "active": true, "id": 42, "name": "Ada", "nothing": .null, "list": .list([1]),
    ])
    #expect(user["name"] == "Ada")
    #expect(user["id"] == "42")
    #expect(user["active"] == "true")
    #expect(user["nothing"] == nil)
    #expect(user["list"] == nil)
    #expect(user["absent"] == nil)
    #expect(user.names == ["active", "id", "list", "name", "nothing"])
  }
}
