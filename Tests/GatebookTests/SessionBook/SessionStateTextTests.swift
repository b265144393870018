import Testing

@testable import Gatebook

@Suite struct SessionStateTextTests {
  @Test(arguments: EndReason.allCases)
  func `a reason is shown in words, never by its name in the log`(_ reason: EndReason) {
    let words = SessionState.needsLogin(reason).text
    #expect(words == "needs login (\(reason.text))")
    #expect(reason.text.first?.isLowercase == true)
    // Names such as `secretMissing` are words with a capital letter inside.
    #expect(reason.text.allSatisfy { $0.isLowercase || $0 == " " }, "\(words)")
  }

  @Test func `no two reasons have the same words`() {
    #expect(Set(EndReason.allCases.map(\.text)).count == EndReason.allCases.count)
  }
}
