# Puts the shared pieces into every script and writes them all as one C++ file. What stands behind `-- nest` becomes a function of its own:
# each call of a script makes all its functions anew, and the search for a captured local walks over all locals of the same function that
# are captured already, but takes those of an outer function as they are.
# Usage: cmake -DSOURCE=core/lua -DOUTPUT=file.cpp -P embed.cmake
file(GLOB scripts ${SOURCE}/verbs/*.lua)
set(content "// Made from core/lua by embed.cmake.\n#include \"core/lua/embeddedscripts.h\"\n\nnamespace junban::redis {\n\n")
string(APPEND content "const EmbeddedScript embeddedScripts[] = {\n")
foreach(script ${scripts})
    get_filename_component(name ${script} NAME_WE)
    file(READ ${script} text)
    foreach(piece base record lanes buckets kinds rates fair shelves state place ends push backlog closing follow attempt claim reading rings stats failures
            retention purge page bulk series schedule check checkbuckets checkshelves matchers)
        file(READ ${SOURCE}/pieces/${piece}.lua shared)
        string(REPLACE "-- include ${piece}\n" "${shared}" text "${text}")
    endforeach()
    if(text MATCHES "-- nest\n")
        string(REPLACE "-- nest\n" "return (function()\n" text "${text}")
        string(APPEND text "end)()\n")
    endif()
    string(APPEND content "    {\"${name}\", R\"JUNBAN(${text})JUNBAN\"},\n")
endforeach()
string(APPEND content "    {nullptr, nullptr},\n};\n\n} // namespace junban::redis\n")
file(WRITE ${OUTPUT} "${content}")
