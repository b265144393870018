import GatebookTestSupport
import Testing

@testable import GatebookLoginPage

@Suite struct TemplateTests {
  private static let values: TemplateValues = [
    "name": .text("Ada"), "marks": .text("<&>\"'"), "empty": .text(""), "on": .flag(true),
    "off": .flag(false), "none": .list([]),
    "people": .list([
      ["name": .text("Ben")], ["name": .text("Cleo"), "isLast": .flag(true)], [:],
    ]),
    "teams": .list([
      ["team": .text("a"), "people": .list([["name": .text("x")], ["name": .text("y")]])],
      ["team": .text("b"), "people": .list([])],
    ]),
  ]

  @Test(
    arguments: [
      ("", ""), ("plain", "plain"), ("Hello {{name}}!", "Hello Ada!"), ("{{ name }}", "Ada"),
      ("{{missing}}.", "."), ("{{on}}{{people}}.", "."),
      (
        "<b title=\"{{marks}}\">{{marks}}</b>",
        "<b title=\"&lt;&amp;&gt;&quot;&#39;\">&lt;&amp;&gt;&quot;&#39;</b>"
      ),
      ("{{#on}}a{{/on}}{{#off}}b{{/off}}", "a"), ("{{^on}}a{{/on}}{{^off}}b{{/off}}", "b"),
      ("{{#name}}a{{/name}}{{#empty}}b{{/empty}}{{#missing}}c{{/missing}}", "a"),
      ("{{^empty}}a{{/empty}}{{^none}}b{{/none}}{{^missing}}c{{/missing}}", "abc"),
      // A member without the name shows that of the outer scope.
      ("{{#people}}[{{name}}]{{/people}}", "[Ben][Cleo][Ada]"),
      ("{{#people}}{{name}}{{^isLast}}, {{/isLast}}{{/people}}", "Ben, CleoAda, "),
      ("{{#none}}a{{/none}}", ""), ("{{^people}}a{{/people}}", ""),
      ("{{#teams}}{{team}}:{{#people}}{{team}}{{name}} {{/people}};{{/teams}}", "a:ax ay ;b:;"),
      ("{{#on}}{{#off}}a{{/off}}b{{/on}}", "b"), ("{{#on}}{{#on}}a{{/on}}b{{/on}}c", "abc"),
      ("a{{! {{name}b }}c", "ac"), ("a{{!\n\n}}c", "ac"), ("{ {name} } }}", "{ {name} } }}"),
      ("{{#on}}\n  {{name}}\n{{/on}}", "\n  Ada\n"),
    ])
  func `the gaps of a template are filled`(_ text: String, _ filled: String) throws {
    #expect(try Template(text).filled(with: Self.values) == filled)
  }

  @Test(
    arguments: [
      ("{{name", 1, "no “}}”"), ("a\nb\n{{name", 3, "no “}}”"), ("{{}}", 1, "names nothing"),
      ("\n{{ }}", 2, "not a name"), ("{{#a}}", 1, "{{#a}}” has no end"),
      ("\n\n{{#a}}\n{{#b}}\n{{/b}}\n", 3, "{{#a}}” has no end"),
      ("\n{{/a}}", 2, "{{/a}}” ends no section"), ("{{#a}}\n{{/b}}", 2, "{{/b}}” ends no section"),
      ("{{#a}}{{#b}}\n{{/a}}{{/b}}", 2, "{{/a}}” ends no section"),
      ("\n{{{name}}}", 2, "not a name"), ("{{&name}}", 1, "not a name"),
      ("{{>a}}", 1, "not a name"),
      ("{{a.b}}", 1, "not a name"), ("{{größe}}", 1, "not a name"), ("{{#}}{{/}}", 1, "not a name"),
      ("{{a\nb}}", 2, "not a name"), ("{{!\n\n}}\n{{=<% %>=}}", 4, "not a name"),
    ])
  func `a fault has its line`(_ text: String, _ line: Int, _ words: String) {
    let fault = #expect(throws: Template.Fault.self) { try Template(text) }
    #expect(fault?.line == line)
    #expect(fault?.text.contains(words) == true, "\(fault?.text ?? "")")
  }

  @Test func `the names of a template are those of gaps and sections`() throws {
    let template = try Template("{{a}}{{#b}}{{c}}{{/b}}{{^d}}{{/d}}{{! e }}f")
    #expect(template.gaps == ["a", "c"])
    #expect(template.sections == ["b", "d"])
  }

  @Test func `each name has the line in which it comes first`() throws {
    let template = try Template("{{a}}\n{{! b\n}}{{#b}}\n{{a}}{{c}}\n{{/b}}")
    #expect(template.lines == ["a": 1, "b": 3, "c": 4])
  }

  @Test func `no text in a gap becomes markup`() throws {
    let template = try Template(
      "<p title=\"{{text}}\" lang='{{text}}'>{{text}}{{#l}}{{x}}{{/l}}</p>")
    let frame = try Template("<p title=\"\" lang=''></p>").filled(with: [:])
    var random = SplitMix(seed: 7)
    let alphabet = "<>&\"'{}/#^!abc =\n\r\t\0ä日🔑\u{202E}\u{FEFF}\u{0301}`\\-"
    for _ in 0..<2000 {
      let text = random.text(Int(random.next() % 24), of: alphabet)
      let page = template.filled(with: [
        "text": .text(text), "l": .list([["x": .text(text)]]),
      ])
      let marks = { (page: String) in
        page.unicodeScalars.filter { "<>\"'".unicodeScalars.contains($0) }
      }
      try #require(Array(marks(page)) == Array(marks(frame)), "\(text.debugDescription)")
    }
  }
}
