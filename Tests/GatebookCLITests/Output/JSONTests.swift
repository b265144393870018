internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

struct JSONTests {
  private func text(_ value: JSON) -> String { String(decoding: value.encoded, as: UTF8.self) }

  @Test func `members keep their order, and what is absent is left out`() {
    let absent: JSON? = nil
    let value = JSON.present(["z": .integer(-1), "a": absent, "b": .bool(true), "c": .null])
    #expect(text(value) == #"{"z":-1,"b":true,"c":null}"#)
  }

  @Test(arguments: [
    ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t", #""\n\r\t""#), ("\u{1b}[2J", #""\u001b[2J""#),
    ("\u{9b}31m", #""\u009b31m""#), ("\u{7f}", #""\u007f""#), ("\u{202e}", #""\u202e""#),
    ("\u{0}", #""\u0000""#), ("ü€😀", "\"ü€😀\""),
  ])
  func `nothing a terminal obeys is written raw`(_ value: String, _ expected: String) {
    #expect(text(.text(value)) == expected)
  }

  @Test func `facts are written with their names in order`() {
    let facts: Facts = ["b": .list([.integer(1), .null]), "a": .object(["x": .text("y")])]
    #expect(text(JSON(facts)) == #"{"a":{"x":"y"},"b":[1,null]}"#)
  }

  @Test(arguments: [
    (Int64(0), "1970-01-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
    (1_763_706_554_500_000, "2025-11-21T06:29:14.500000Z"),
    (951_782_400_000_001, "2000-02-29T00:00:00.000001Z"),
    (-62_135_596_800_000_000, "0001-01-01T00:00:00.000000Z"),
  ])
  func `times are RFC 3339 with microseconds`(_ moment: Int64, _ expected: String) {
    #expect(text(.time(Timestamp(rawValue: moment))) == "\"\(expected)\"")
  }
}
